// Which of several pages that are one stands, and which are its aliases. The answer depends on the set of pages alone, in
// whatever order they were found.

import type { Sha256 } from '../model/hash.ts';
import type { PageUrl } from '../model/page-url.ts';

export interface Foldable {
  readonly url: PageUrl;
  readonly twinHash: Sha256 | null;
  /** What the page calls its own address; null where it says nothing. */
  readonly canonical: PageUrl | null;
}

/** Where an address leads: to a stored page, perhaps through redirects. */
export type Standing = ReadonlyMap<PageUrl, PageUrl>;

/**
 * A site whose template names one address on every page means none of them. So many different texts may name the same
 * one, as the versions of a manual do.
 */
export const MOST_TEXTS_OF_ONE_ADDRESS = 50;

/** The page that each stands for, by URL; a page that is not in the answer stands for itself. */
export function foldVerdicts(pages: readonly Foldable[], standing: Standing): ReadonlyMap<PageUrl, PageUrl> {
  const believed = believedEdges(pages, standing);
  const groups = createGroups();
  for (const { from, to } of believed) groups.join(from, to);
  const firstOf = new Map<Sha256, PageUrl>();
  for (const { url, twinHash } of pages) {
    if (twinHash === null) continue;
    const first = firstOf.get(twinHash) ?? url;
    firstOf.set(twinHash, first);
    groups.join(first, url);
  }
  const canonical = new Set(believed.map(({ to }) => to));
  const leaving = new Set(believed.filter(({ from, to }) => from !== to).map(({ from }) => from));
  const folded = new Map<PageUrl, PageUrl>();
  for (const members of groups.all()) {
    const stands = members.reduce((best, url) => (isBetter(url, best, canonical, leaving) ? url : best));
    for (const url of members) if (url !== stands) folded.set(url, stands);
  }
  return folded;
}

interface Edge {
  readonly from: PageUrl;
  readonly to: PageUrl;
}

function believedEdges(pages: readonly Foldable[], standing: Standing): readonly Edge[] {
  const edges: Edge[] = [];
  const texts = new Map<PageUrl, Set<Sha256 | null>>();
  for (const { url, canonical, twinHash } of pages) {
    const to = canonical === null ? undefined : standing.get(canonical);
    if (to === undefined) continue;
    edges.push({ from: url, to });
    if (to !== url) texts.set(to, (texts.get(to) ?? new Set()).add(twinHash));
  }
  return edges.filter(({ to }) => (texts.get(to)?.size ?? 0) <= MOST_TEXTS_OF_ONE_ADDRESS);
}

/** The canonical one, of several the one that names no other; else the shortest, then the lexically first. */
function isBetter(a: PageUrl, b: PageUrl, canonical: ReadonlySet<PageUrl>, leaving: ReadonlySet<PageUrl>): boolean {
  const rank = (url: PageUrl): number => (canonical.has(url) ? 0 : 2) + (leaving.has(url) ? 1 : 0);
  if (rank(a) !== rank(b)) return rank(a) < rank(b);
  return a.length === b.length ? a < b : a.length < b.length;
}

interface Groups {
  join(a: PageUrl, b: PageUrl): void;
  /** Those with more than one member. */
  all(): Iterable<readonly PageUrl[]>;
}

function createGroups(): Groups {
  const above = new Map<PageUrl, PageUrl>();
  const top = (url: PageUrl): PageUrl => {
    let at = url;
    for (let next = above.get(at); next !== undefined && next !== at; next = above.get(at)) {
      // Halving the way as it is walked keeps every way short.
      above.set(at, above.get(next) ?? next);
      at = next;
    }
    return at;
  };
  return {
    join(a, b) {
      for (const url of [a, b]) if (!above.has(url)) above.set(url, url);
      const [first, second] = [top(a), top(b)];
      if (first !== second) above.set(first < second ? second : first, first < second ? first : second);
    },
    all() {
      return [...Map.groupBy(above.keys(), top).values()].filter((members) => members.length > 1);
    },
  };
}
