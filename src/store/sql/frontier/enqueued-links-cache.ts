// Caches the links that this process has already enqueued in a run. Each page of a site has the same few hundred links: hashing,
// sorting and inserting them again would cost time and change nothing.

import type { RunId } from '../../../core/model/run.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import type { Settlement } from '../../port.ts';

export interface EnqueuedLinksCache {
  /** The settlement without links and exclusions that are already recorded. */
  withoutEnqueued(settlement: Settlement, isFirstRun: boolean): Settlement;
  /** After the commit only. */
  add(settlements: readonly Settlement[]): void;
}

/** About ten megabytes. An evicted link is enqueued again, which costs time and changes nothing. */
const MAX_CACHE_ENTRIES = 50_000;

interface CachedUrls {
  readonly enqueued: Set<PageUrl>;
  readonly excluded: Set<PageUrl>;
}

export function createEnqueuedLinksCache(): EnqueuedLinksCache {
  const runs = new Map<RunId, CachedUrls>();
  let size = 0;

  function cacheOf(run: RunId): CachedUrls {
    const cached = runs.get(run) ?? { enqueued: new Set(), excluded: new Set() };
    runs.set(run, cached);
    return cached;
  }

  return {
    withoutEnqueued(settlement, isFirstRun) {
      const { enqueued, excluded } = cacheOf(settlement.claim.run);
      return {
        ...settlement,
        // What a site publishes about its pages is written even if a link was found first.
        links: settlement.links.filter(({ url, foundBy }) => foundBy !== 'link' || !enqueued.has(url)),
        // In a later run a stored page is not excluded, but may be once it is removed.
        excluded: isFirstRun ? settlement.excluded.filter(({ url }) => !excluded.has(url)) : settlement.excluded,
      };
    },
    add(settlements) {
      for (const { claim, links, excluded } of settlements) {
        if (size > MAX_CACHE_ENTRIES) {
          runs.clear();
          size = 0;
        }
        const cached = cacheOf(claim.run);
        for (const { url } of links) cached.enqueued.add(url);
        for (const { url } of excluded) cached.excluded.add(url);
        size += links.length + excluded.length;
      }
    },
  };
}
