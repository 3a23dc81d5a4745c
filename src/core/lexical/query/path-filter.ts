// Which pages a path stands for. A user writes the start of a URL, of its path on the site, or of its path below the start of
// the source; of a file, the start of its path inside the folder. Searches compare pages with it, by words and by vectors
// alike; lists in the order of URLs read the ranges that it stands for.

import { decodePercent } from '../../text/decode-percent.ts';
import { scopeFolder } from '../../url/scope-folder.ts';
import { compareText } from '../../text/compare-text.ts';

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
const FILE_ROOT = 'file:///';

/** The folder at which a source starts, as host and path, which its pages share whatever their scheme. */
export function pathBase(start: string): string | null {
  if (!/^https?:/i.test(start) || !URL.canParse(start)) return null;
  const { host, pathname } = new URL(start);
  return `${host}${scopeFolder(pathname)}/`;
}

/** The path bases of the searched sources. */
export function pathBases(sources: ReadonlyArray<{ readonly startUrl: string }>): readonly string[] {
  return [...new Set(sources.map(({ startUrl }) => pathBase(startUrl)))].filter((base) => base !== null);
}

/**
 * `page` is a URL, or the path of a file inside its folder; `bases` are those of the searched sources. Case-sensitive, and
 * blind to how characters are escaped.
 */
export function matchesPath(page: string, prefix: string, bases: readonly string[] = []): boolean {
  return createPathMatcher(prefix, bases)(page);
}

/** `matchesPath` for many pages. */
export function createPathMatcher(prefix: string, bases: readonly string[] = []): (page: string) => boolean {
  if (SCHEME.test(prefix)) {
    const file = prefix.startsWith(FILE_ROOT) ? decodePercent(prefix.slice(FILE_ROOT.length)) : null;
    return (page) => page.startsWith(prefix) || (file !== null && !SCHEME.test(page) && page.startsWith(file));
  }
  const wanted = relative(prefix);
  return (page) => {
    if (page.startsWith(prefix)) return true;
    const host = hostStart(page);
    if (host === 0) return startsRelative(page, 0, wanted);
    const slash = page.indexOf('/', host);
    if (slash !== -1 && startsRelative(page, slash, wanted)) return true;
    return bases.some((base) => page.startsWith(base, host) && startsRelative(page, host + base.length, wanted));
  };
}

/** What the URL of every page that matches contains, unless it has an escaped character. */
export function pathNeedle(prefix: string): string {
  if (!SCHEME.test(prefix)) return relative(prefix);
  return prefix.startsWith(FILE_ROOT) ? decodePercent(prefix.slice(FILE_ROOT.length)) : prefix;
}

/** 0 for a path without a scheme. */
function hostStart(page: string): number {
  if (page.startsWith('https://')) return 'https://'.length;
  return SCHEME.exec(page)?.[0].length ?? 0;
}

/** `relative(page.slice(from)).startsWith(wanted)`, without a copy for a page that has no escapes. */
function startsRelative(page: string, from: number, wanted: string): boolean {
  if (page.includes('%', from)) return relative(page.slice(from)).startsWith(wanted);
  let start = from;
  while (page.charCodeAt(start) === SLASH) start += 1;
  return page.startsWith(wanted, start);
}

const SLASH = 0x2f;

/**
 * The beginnings of URLs that a path stands for on these origins, in the order of URLs and without one that another covers.
 * A file has the origin `file://`.
 */
export function urlPrefixes(path: string, origins: readonly string[], base: string | null): readonly string[] {
  if (path === '' || SCHEME.test(path)) return [path];
  const wanted = relative(path);
  const prefixes = origins.flatMap((origin) => {
    if (origin === 'file://') return [FILE_ROOT + wanted.split('/').map(encodeURIComponent).join('/')];
    const { pathname, search, host } = new URL(`${origin}/${wanted}`);
    const below = base !== null && base.startsWith(`${host}/`) ? base.slice(host.length, -1) : '';
    return [`${origin}${pathname}${search}`, `${origin}${below}${pathname}${search}`];
  });
  const sorted = prefixes.toSorted(compareText);
  return sorted.filter((prefix, at) => !sorted.slice(0, at).some((earlier) => prefix.startsWith(earlier)));
}

function relative(path: string): string {
  return decodePercent(path.replace(/^\/+/, ''));
}
