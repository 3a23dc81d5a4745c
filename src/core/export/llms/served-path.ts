// The address of a page on our own server, and the pages that an address may stand for.
//
// A page has the path of its URL with `.md` at the end: `https://x.dev/guide/install?tab=npm` of the source `x` is
// `/docs/x/guide/install.md?tab=npm`. A folder's page is its `index.md`. Only a page on another origin than its source, and a page
// that is itself called `index`, have their whole URL as the path, encoded. So each page has one address, without a look-up.

import type { SourceKind } from '../../model/provenance.ts';
import { fileUrl } from '../../files/file-url.ts';
import { decodePercent } from '../../text/decode-percent.ts';
import { parsePageUrl, type PageUrl } from '../../model/page-url.ts';

export const DOCS_PREFIX = '/docs';

/** `/docs/fastify`, or `/docs/fastify@5.2` for one version. */
export function sourcePath(source: string, version: string | null): string {
  const name = encodeURIComponent(source.toWellFormed());
  return `${DOCS_PREFIX}/${name}${version === null ? '' : `@${encodeURIComponent(version.toWellFormed())}`}`;
}

export interface SourceReference {
  readonly source: string;
  /** Null for the newest. */
  readonly version: string | null;
}

/** What the segment after `/docs/` may mean, as it was received: first with a version, then as a name that has an `@`. */
export function parseSourceSegment(segment: string): readonly SourceReference[] {
  const at = segment.lastIndexOf('@');
  const whole = { source: decodePercent(segment), version: null };
  return at <= 0
    ? [whole]
    : [{ source: decodePercent(segment.slice(0, at)), version: decodePercent(segment.slice(at + 1)) }, whole];
}

interface SourceStart {
  readonly kind: SourceKind;
  readonly startUrl: string;
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Where a source was crawled, here or before it was imported; null for local files, whose location is private. */
export function webStartUrl({ kind, startUrl, settings }: SourceStart): string | null {
  if (kind === 'web') return startUrl;
  const crawled = settings?.['startUrl'];
  return typeof crawled === 'string' ? crawled : null;
}

/** The part of the URLs of a source that its addresses leave out. */
export function originOf(source: SourceStart): string {
  const url = webStartUrl(source);
  return url === null ? 'file://' : (URL.parse(url)?.origin ?? '');
}

/** Absolute from the root of the server. */
export function docsPath(base: string, origin: string, url: PageUrl): string {
  const [path, query] = splitOnce(url, '?');
  const isOwn = origin !== '' && path.startsWith(`${origin}/`);
  const own = isOwn ? path.slice(origin.length + 1) : '';
  if (!isOwn || /(?:^|\/)index$/.test(own)) return `${base}/${encodeURIComponent(url)}.md`;
  const name = own === '' || own.endsWith('/') ? `${own}index` : own;
  return `${base}/${name}.md${query === undefined ? '' : `?${query}`}`;
}

/** The view of a page in the dashboard, absolute from the root of the server. */
export function dashboardPath(source: string, version: string, url: string): string {
  const [page = ''] = url.split('#', 1);
  const query = new URLSearchParams({ url: page, ...(version === '' ? {} : { version }) });
  return `/sources/${encodeURIComponent(source.toWellFormed())}/page?${query}`;
}

const WHOLE_URL = /^(?:https?|file)(?:%3a%2f%2f|:\/)/i;

/** Pages that an address may stand for, best first: its path and query, as received, after the source. */
export function pagesAtPath(origin: string, path: string, query: string): readonly PageUrl[] {
  const paths = path.endsWith('.md') ? [...namedBy(path.slice(0, -3)), path] : [path];
  const urls = paths.flatMap((one) => [
    parsePageUrl(WHOLE_URL.test(one) ? decodePercent(one) : `${origin}/${one}${query}`),
    origin === 'file://' ? encodedFile(one) : null,
  ]);
  return [...new Set(urls.filter((url) => url !== null))];
}

function namedBy(path: string): readonly string[] {
  return path === 'index' || path.endsWith('/index') ? [path.slice(0, -'index'.length), path] : [path];
}

/** A file whose name was typed rather than copied: its URL encodes more characters than a browser does. */
function encodedFile(path: string): PageUrl | null {
  try {
    return fileUrl(decodePercent(path));
  } catch {
    return null;
  }
}

function splitOnce(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
