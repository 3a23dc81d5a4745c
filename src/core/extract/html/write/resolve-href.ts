// Makes the hrefs of one page absolute. Most are plain paths or fragments, which need no full parse, and many repeat.

/** Null for what leads to no page: scripts, mail, data, broken addresses. */
export type ResolveHref = (href: string) => string | null;

const PROTOCOLS = new Set(['http:', 'https:', 'ftp:']);
const PLAIN_FRAGMENT = /^#[A-Za-z0-9_.:~-]*$/;
/** Letters first, no dot segments, no colon: what the URL parser would only glue to the folder of the base. */
const PLAIN_PATH = /^[A-Za-z0-9_][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*(?:#[A-Za-z0-9_.~-]*)?$/;

export function hrefResolver(pageUrl: string, baseHref: string | undefined): ResolveHref {
  const base = (baseHref === undefined ? null : URL.parse(baseHref.trim(), pageUrl)) ?? new URL(pageUrl);
  base.hash = '';
  const page = base.href;
  // The origin of a file URL is no prefix of it.
  const folder = base.protocol === 'file:' ? null : folderOf(base.pathname);
  const { origin } = base;
  const known = new Map<string, string | null>();
  const resolveNew = (href: string): string | null => {
    if (PLAIN_FRAGMENT.test(href)) return page + href;
    const plain = folder === null ? null : resolvePlain(href, origin, folder);
    if (plain !== null) return plain;
    return resolveFully(href, page, base.protocol);
  };
  return (href) => {
    const before = known.get(href);
    if (before !== undefined) return before;
    const url = resolveNew(href);
    known.set(href, url);
    return url;
  };
}

const MAX_STEPS_UP = 8;

/** A plain path behind any number of `../../`. */
function resolvePlain(href: string, origin: string, folder: string): string | null {
  let [at, from] = [0, folder];
  while (href.startsWith('../../', at) && at < MAX_STEPS_UP * 3) {
    at += 3;
    from = from === '/' ? from : from.slice(0, from.lastIndexOf('/', from.length - 2) + 1);
  }
  const path = at === 0 ? href : href.slice(at);
  return PLAIN_PATH.test(path) ? origin + from + path : null;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function resolveFully(href: string, base: string, baseProtocol: string): string | null {
  const url = URL.parse(href, base);
  if (url === null || (!PROTOCOLS.has(url.protocol) && !(url.protocol === 'file:' && baseProtocol === 'file:')))
    return null;
  if (url.username !== '' || url.password !== '') {
    url.username = '';
    url.password = '';
  }
  return url.href.replaceAll('(', '%28').replaceAll(')', '%29');
}
