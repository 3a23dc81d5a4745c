// Chooses the canonical page of each group of duplicates; the others become its aliases. The result depends on the set of
// pages only, not on their order.

import type { Sha256 } from '../model/hash.ts';
import type { PageUrl } from '../model/page-url.ts';

export interface DuplicateCandidate {
  readonly url: PageUrl;
  readonly dedupeHash: Sha256 | null;
  /** Target of `rel=canonical`; null if the page declares none. */
  readonly canonical: PageUrl | null;
}

/** The stored page of each URL, possibly through redirects. */
export type CanonicalUrls = ReadonlyMap<PageUrl, PageUrl>;

/**
 * A site whose template declares one canonical URL on every page is mistaken. This many different texts may declare the same
 * one, as the versions of a manual do.
 */
export const MAX_TEXTS_PER_CANONICAL = 50;

/**
 * The canonical page of each alias; a page that is not in the result is canonical itself. `mistaken` are pages that too many
 * declare, of which not all need to be among `pages`.
 */
export function chooseCanonical(
  pages: readonly DuplicateCandidate[],
  canonicalUrls: CanonicalUrls,
  mistaken: ReadonlySet<PageUrl> = new Set(),
): ReadonlyMap<PageUrl, PageUrl> {
  const trusted = trustedEdges(pages, canonicalUrls).filter(({ to }) => !mistaken.has(to));
  const groups = createUnionFind();
  for (const { from, to } of trusted) groups.union(from, to);
  const firstOf = new Map<Sha256, PageUrl>();
  for (const { url, dedupeHash } of pages) {
    if (dedupeHash === null) continue;
    const first = firstOf.get(dedupeHash) ?? url;
    firstOf.set(dedupeHash, first);
    groups.union(first, url);
  }
  const canonical = new Set(trusted.map(({ to }) => to));
  const namesAnother = new Set(trusted.filter(({ from, to }) => from !== to).map(({ from }) => from));
  const aliases = new Map<PageUrl, PageUrl>();
  for (const members of groups.groups()) {
    const chosen = members.reduce((best, url) => (isBetter(url, best, canonical, namesAnother) ? url : best));
    for (const url of members) if (url !== chosen) aliases.set(url, chosen);
  }
  return aliases;
}

interface Edge {
  readonly from: PageUrl;
  readonly to: PageUrl;
}

function trustedEdges(pages: readonly DuplicateCandidate[], canonicalUrls: CanonicalUrls): readonly Edge[] {
  const edges: Edge[] = [];
  const texts = new Map<PageUrl, Set<Sha256 | null>>();
  for (const { url, canonical, dedupeHash } of pages) {
    const to = canonical === null ? undefined : canonicalUrls.get(canonical);
    if (to === undefined) continue;
    edges.push({ from: url, to });
    if (to !== url) texts.set(to, (texts.get(to) ?? new Set()).add(dedupeHash));
  }
  return edges.filter(({ to }) => (texts.get(to)?.size ?? 0) <= MAX_TEXTS_PER_CANONICAL);
}

/** Declared canonical, preferably without declaring another one; then the shortest, then the lexically first. */
function isBetter(
  a: PageUrl,
  b: PageUrl,
  canonical: ReadonlySet<PageUrl>,
  namesAnother: ReadonlySet<PageUrl>,
): boolean {
  const rank = (url: PageUrl): number => (canonical.has(url) ? 0 : 2) + (namesAnother.has(url) ? 1 : 0);
  if (rank(a) !== rank(b)) return rank(a) < rank(b);
  return a.length === b.length ? a < b : a.length < b.length;
}

interface UnionFind {
  union(a: PageUrl, b: PageUrl): void;
  /** Groups with more than one member. */
  groups(): Iterable<readonly PageUrl[]>;
}

function createUnionFind(): UnionFind {
  const parents = new Map<PageUrl, PageUrl>();
  const find = (url: PageUrl): PageUrl => {
    let at = url;
    for (let next = parents.get(at); next !== undefined && next !== at; next = parents.get(at)) {
      // Path halving keeps the paths short.
      parents.set(at, parents.get(next) ?? next);
      at = next;
    }
    return at;
  };
  return {
    union(a, b) {
      for (const url of [a, b]) if (!parents.has(url)) parents.set(url, url);
      const [first, second] = [find(a), find(b)];
      if (first !== second) parents.set(first < second ? second : first, first < second ? first : second);
    },
    groups() {
      return [...Map.groupBy(parents.keys(), find).values()].filter((members) => members.length > 1);
    },
  };
}
