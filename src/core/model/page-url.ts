// The URL of a page after normalisation: the only form that is stored, compared and hashed.

import { pinakesError, type PinakesError } from './errors.ts';
import { sha256Hex } from './hash.ts';

/** An absolute http, https or file URL without fragment and credentials, as the WHATWG parser serialises it. */
export type PageUrl = string & { readonly __brand: 'page-url' };

/** 32 hexadecimal digits: the first half of the URL's SHA-256, the key of a URL inside a source version. */
export type UrlKey = string & { readonly __brand: 'url-key' };

const PAGE_PROTOCOLS = new Set(['http:', 'https:', 'file:']);

export function parsePageUrl(text: string, base?: string): PageUrl | null {
  const url = URL.parse(text, base);
  if (url === null || !PAGE_PROTOCOLS.has(url.protocol)) return null;
  if (url.username !== '') url.username = '';
  if (url.password !== '') url.password = '';
  // In a serialised URL the first `#` starts the fragment; assigning `hash` would serialise the URL again.
  const { href } = url;
  const fragment = href.indexOf('#');
  return (fragment === -1 ? href : href.slice(0, fragment)) as PageUrl;
}

const PLAIN_PATH = /^[A-Za-z0-9_~./-]*$/;

/** Parses the links of one page like `parsePageUrl`, but faster: repeated URLs are cached and plain ones not parsed. */
export function createPageUrlParser(base: PageUrl): (text: string) => PageUrl | null {
  const cache = new Map<string, PageUrl | null>();
  const origin = base.startsWith('http') ? base.slice(0, base.indexOf('/', base.indexOf('//') + 2)) : null;
  /** A URL on the base's origin that the parser would not change. */
  const isPlain = (text: string): boolean => {
    if (origin === null || !text.startsWith(origin) || text[origin.length] !== '/') return false;
    const path = text.slice(origin.length);
    return PLAIN_PATH.test(path) && !path.includes('/.');
  };
  return (text) => {
    const fragment = text.indexOf('#');
    const bare = fragment === -1 ? text : text.slice(0, fragment);
    // The parser trims white space at the end of a URL, but not inside of it.
    if (bare.charCodeAt(bare.length - 1) <= 0x20) return parsePageUrl(text, base);
    const cached = cache.get(bare);
    if (cached !== undefined) return cached;
    const url = isPlain(bare) ? (bare as PageUrl) : parsePageUrl(bare, base);
    cache.set(bare, url);
    return url;
  };
}

export function pageUrl(text: string, base?: string): PageUrl {
  const url = parsePageUrl(text, base);
  if (url === null) throw invalidUrl(text);
  return url;
}

/** `docs.example.dev/guide` was meant as a URL. */
export function looksLikeHost(text: string): boolean {
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:[/:?#]|$)/i.test(text);
}

/** `url.invalid`, with what was probably meant. */
export function invalidUrl(text: string, cause?: unknown): PinakesError {
  const example = looksLikeHost(text) ? `https://${text}` : 'https://docs.example.dev';
  return pinakesError('url.invalid', { url: text, example }, cause);
}

export function urlKey(url: PageUrl): UrlKey {
  return sha256Hex(url).slice(0, 32) as UrlKey;
}

/** Host and port, the unit of politeness. Local files have no host and share the name `file`. */
/** Whether a link is meant for the web and cannot be parsed. Only one that names a host can be malformed. */
export function isMalformedUrl(href: string): boolean {
  return /^(?:https?:)?\/\//i.test(href) && !URL.canParse(href, 'http://x/');
}

export function hostOf(url: PageUrl): string {
  // A page URL is normalised, so its host is between `//` and the next slash: ten times cheaper than parsing the URL.
  const start = url.indexOf('//') + 2;
  return url.slice(start, url.indexOf('/', start)) || 'file';
}

/** `docs.example.com` is in `example.com`, and `evilexample.com` is not. */
export function isInDomain(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
