// Resolves the hrefs of one page to absolute URLs. Most are plain paths or fragments that need no full parse, and many
// repeat.

/** Null for an href that is not a page: scripts, mail, data, invalid URLs. */
export type ResolveHref = (href: string) => string | null;

const PROTOCOLS = new Set(['http:', 'https:', 'ftp:']);
const PLAIN_FRAGMENT = /^#[A-Za-z0-9_.:~-]*$/;
/** Starts with a letter, no dot segments, no colon: the URL parser would only append it to the folder of the base. */
const PLAIN_PATH = /^[A-Za-z0-9_][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*(?:#[A-Za-z0-9_.~-]*)?$/;

export function createHrefResolver(pageUrl: string, baseHref: string | undefined): ResolveHref {
  const base = resolveBase(new URL(pageUrl), baseHref);
  base.hash = '';
  const page = base.href;
  // The origin of a file URL is not a prefix of it.
  const folder = base.protocol === 'file:' ? null : folderOf(base.pathname);
  const { origin } = base;
  const cache = new Map<string, string | null>();
  const resolveNew = (href: string): string | null => {
    if (PLAIN_FRAGMENT.test(href)) return page + href;
    const plain = folder === null ? null : resolvePlain(href, origin, folder);
    if (plain !== null) return plain;
    return resolveFully(href, page, base.protocol);
  };
  return (href) => {
    const cached = cache.get(href);
    if (cached !== undefined) return cached;
    const url = resolveNew(href);
    cache.set(href, url);
    return url;
  };
}

/** A base that is not a place for pages (`javascript:`), or leads from the web to files, is ignored. */
function resolveBase(page: URL, baseHref: string | undefined): URL {
  const base = baseHref === undefined ? null : URL.parse(baseHref.trim(), page);
  return base !== null && isPageProtocol(base, page.protocol) ? base : page;
}

function isPageProtocol({ protocol }: URL, from: string): boolean {
  return PROTOCOLS.has(protocol) || (protocol === 'file:' && from === 'file:');
}

const MAX_STEPS_UP = 8;

/** A plain path after any number of `../`. */
function resolvePlain(href: string, origin: string, folder: string): string | null {
  let [at, from] = [0, folder];
  while (href.startsWith('../', at) && at < MAX_STEPS_UP * 3) {
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
  if (url === null || !isPageProtocol(url, baseProtocol)) return null;
  if (url.username !== '' || url.password !== '') {
    url.username = '';
    url.password = '';
  }
  return url.href.replaceAll('(', '%28').replaceAll(')', '%29');
}
