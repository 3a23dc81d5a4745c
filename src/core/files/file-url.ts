// Converts between the name of a file on disk, the path that is displayed and stored, and the URL of its page.
//
// A file name may contain anything except a slash: line feeds, escape sequences, bidirectional control characters. Such
// characters, and backslashes, are displayed as `%0A` and the like, and a percent sign that could be mistaken for one of
// these as `%25`. So a path is always one safe line and identifies exactly one file.

import { chunkPath } from '../chunk/chunk-names.ts';
import { INVISIBLE } from '../extract/decode/clean-text.ts';
import { scopeFolder } from '../url/scope-folder.ts';
import { pageUrl, parsePageUrl, type PageUrl } from '../model/page-url.ts';

const UNSAFE = new RegExp(String.raw`[${INVISIBLE}\t\n\r\u2028\u2029\u200c\u200d\\]|%(?=[\da-f]{2})`, 'giu');

export function displayPath(diskName: string): string {
  return diskName.replaceAll(UNSAFE, (char) => encodeURIComponent(char));
}

/** Null for a path that `displayPath` never returns. */
export function pathOnDisk(displayed: string): string | null {
  let path: string;
  try {
    path = displayed.replaceAll(/(?:%[\dA-F]{2})+/g, (escape) => decodeURIComponent(escape));
  } catch {
    return null;
  }
  return path.isWellFormed() && displayPath(path) === displayed ? path : null;
}

export function fileUrl(displayed: string): PageUrl {
  return pageUrl(`file:///${displayed.split('/').map(encodeURIComponent).join('/')}`);
}

/** The displayed path; null if the URL is not that of a local file. Decoded exactly once. */
export function pathOfFileUrl(url: string): string | null {
  if (!url.startsWith('file:///') || url.includes('?') || url.includes('#')) return null;
  const path = chunkPath(url as PageUrl);
  return fileUrlOrNull(path) === url ? path : null;
}

function fileUrlOrNull(path: string): PageUrl | null {
  try {
    return fileUrl(path);
  } catch {
    return null; // an unpaired surrogate has no encoding
  }
}

/** A page for a person: of a local file its path inside its folder, with the fragment; of any other page its URL. */
export function displayUrl(url: string): string {
  if (!isFileUrl(url)) return url;
  const [bare = '', fragment] = url.split('#', 2);
  const path = pathOfFileUrl(bare);
  if (path === null) return url;
  return fragment === undefined ? path : `${path}#${fragment}`;
}

export interface UrlReference {
  readonly url: PageUrl;
  readonly fragment: string | undefined;
}

/**
 * Pages that a text may refer to, best first: by a URL, as `displayUrl` shows a local file, whose name may have a `#`, or by its path on
 * the site, or below the folder, at which its source starts.
 */
export function parsePageReference(text: string, startUrl: string): readonly UrlReference[] {
  if (/^[a-z]+:\/\//i.test(text)) {
    const { bare, fragment } = splitAt(text, text.indexOf('#'));
    return referencesTo([parsePageUrl(bare)], fragment);
  }
  if (/^https?:/.test(startUrl)) return sitePages(text, startUrl);
  const path = text.replace(/^\/+/, '');
  const { bare, fragment } = splitAt(path, path.lastIndexOf('#'));
  return [
    ...(bare === path ? [] : referencesTo([fileUrlOrNull(path)], undefined)),
    ...referencesTo([fileUrlOrNull(bare), parsePageUrl(`file:///${bare}`)], fragment),
  ];
}

function sitePages(text: string, startUrl: string): readonly UrlReference[] {
  const { bare, fragment } = splitAt(text, text.indexOf('#'));
  const { origin, pathname } = new URL(startUrl);
  const path = bare.replace(/^\/+/, '');
  const below = scopeFolder(pathname);
  return referencesTo([parsePageUrl(`${origin}/${path}`), parsePageUrl(`${origin}${below}/${path}`)], fragment);
}

function splitAt(text: string, at: number): { readonly bare: string; readonly fragment: string | undefined } {
  if (at === -1) return { bare: text, fragment: undefined };
  return { bare: text.slice(0, at), fragment: text.slice(at + 1) || undefined };
}

function referencesTo(urls: ReadonlyArray<PageUrl | null>, fragment: string | undefined): readonly UrlReference[] {
  return [...new Set(urls)].filter((url) => url !== null).map((url) => ({ url, fragment }));
}

export function isFileUrl(url: string): boolean {
  return url.startsWith('file:');
}
