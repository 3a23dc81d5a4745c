// The links that this process has offered to a run already. Each page of a site names the same few hundred: to hash, sort and
// insert them again costs time and changes nothing.

import type { RunId } from '../../../core/model/run.ts';
import type { PageUrl } from '../../../core/model/page-url.ts';
import type { Settlement } from '../../port.ts';

export interface MetLinks {
  /** The settlement without what it would offer or refuse in vain. */
  unmet(settlement: Settlement, isFirstRun: boolean): Settlement;
  /** Only what is committed. */
  remember(settlements: readonly Settlement[]): void;
}

/** Some ten megabytes. Whatever is forgotten is offered again, which costs time and changes nothing. */
const MOST_URLS = 50_000;

interface Met {
  readonly offered: Set<PageUrl>;
  readonly refused: Set<PageUrl>;
}

export function createMetLinks(): MetLinks {
  const runs = new Map<RunId, Met>();
  let size = 0;

  function metOf(run: RunId): Met {
    const met = runs.get(run) ?? { offered: new Set(), refused: new Set() };
    runs.set(run, met);
    return met;
  }

  return {
    unmet(settlement, isFirstRun) {
      const { offered, refused } = metOf(settlement.claim.run);
      return {
        ...settlement,
        // What a site states of its pages is written even where a link named them before.
        links: settlement.links.filter(({ url, foundBy }) => foundBy !== 'link' || !offered.has(url)),
        // In a later run a page that stands is not refused, but may be once it is gone.
        refused: isFirstRun ? settlement.refused.filter(({ url }) => !refused.has(url)) : settlement.refused,
      };
    },
    remember(settlements) {
      for (const { claim, links, refused } of settlements) {
        if (size > MOST_URLS) {
          runs.clear();
          size = 0;
        }
        const met = metOf(claim.run);
        for (const { url } of links) met.offered.add(url);
        for (const { url } of refused) met.refused.add(url);
        size += links.length + refused.length;
      }
    },
  };
}
