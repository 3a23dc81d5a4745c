// The expected gain of a queued URL, estimated from the outcomes of URLs of the same pattern, from how many pages link to it, and from
// how deep in the site it is. It orders the queue of a planned run.

import type { PageUrl } from '../model/page-url.ts';
import { createLocator } from './site-shape.ts';
import type { SitePlan } from './site-plan.ts';

/** The rank of the start URL, of planned hubs, and of the first links of a hub. */
export const START_RANK = 0;
export const HUB_RANK = 1;
export const FRONT_RANK = 2;
const LAST_RANK = 999;

/** A settled URL with its outcome. */
export interface SettledUrl {
  readonly url: PageUrl;
  readonly isNewPage: boolean;
  /** Null if nothing was stored. */
  readonly tokens: number | null;
  readonly pageKind: string | null;
}

export interface Gains {
  add(settled: SettledUrl): void;
  /** The gain of an average page that one page of its folder links to is about 1. */
  gainOf(url: PageUrl): number;
  rankOf(url: PageUrl): number;
  /** Statistics of the URLs settled so far. */
  readonly meanGain: () => number;
}

const KIND_VALUES: Readonly<Record<string, number>> = { hub: 1.5, article: 1, reference: 1, index: 0.5 };
const OTHER_KIND = 0.3;
/** Prior for the tokens of a page, and its weight in pages. */
const PRIOR_TOKENS = 500;
const PRIOR_PAGES = 5;
/** Weight of URLs that the menus of the site name. */
const IN_MENU = 8;
/** Weight of each folder below the start. */
const PER_FOLDER = 0.66;
/** Limit of distinct patterns; a hostile site can have any number. */
const MAX_PATTERNS = 20_000;

interface Sums {
  fetched: number;
  stored: number;
  tokens: number;
  kinds: number;
}

/** `timesNamed`: how many fetched pages link to a URL in their text. */
export function createGains(plan: SitePlan, timesNamed: (url: PageUrl) => number = () => 0): Gains {
  const locate = createLocator(plan.shape);
  const menu = new Set(plan.menu);
  const promised = new Map(Object.entries(plan.promised));
  const startFolders = foldersOf(plan.startUrl);
  const patterns = new Map<string, Sums>();
  const storedIn = new Map<string, number>();
  const total = { pages: 0, tokens: 0, gains: 0, settled: 0 };

  const sumsOf = (pattern: string): Sums => {
    const known = patterns.get(pattern);
    const sums = known ?? { fetched: 0, stored: 0, tokens: 0, kinds: 0 };
    if (known === undefined && patterns.size < MAX_PATTERNS) patterns.set(pattern, sums);
    return sums;
  };

  function gainOf(url: PageUrl): number {
    const { pattern, section } = locate(url);
    const sums = patterns.get(pattern) ?? { fetched: 0, stored: 0, tokens: 0, kinds: 0 };
    const mean = total.pages === 0 ? PRIOR_TOKENS : Math.max(1, total.tokens / total.pages);
    const fresh = (sums.stored + 1) / (sums.fetched + 2);
    const length = (sums.tokens / mean + PRIOR_PAGES) / (sums.stored + PRIOR_PAGES);
    const kind = sums.stored === 0 ? 1 : sums.kinds / sums.stored;
    const slug = section?.slug ?? '';
    const need = 1 / (1 + (storedIn.get(slug) ?? 0) / Math.max(1, promised.get(slug) ?? 0));
    const isNamed = (menu.has(url) ? IN_MENU : 1) * (1 + timesNamed(url));
    return fresh * length * need * kind * isNamed * PER_FOLDER ** Math.max(0, foldersOf(url) - startFolders);
  }

  return {
    add({ url, isNewPage, tokens, pageKind }) {
      total.gains += gainOf(url);
      total.settled += 1;
      const { pattern, section } = locate(url);
      const sums = sumsOf(pattern);
      sums.fetched += 1;
      if (!isNewPage) return;
      sums.stored += 1;
      sums.tokens += tokens ?? 0;
      sums.kinds += KIND_VALUES[pageKind ?? ''] ?? OTHER_KIND;
      total.pages += 1;
      total.tokens += tokens ?? 0;
      const slug = section?.slug ?? '';
      storedIn.set(slug, (storedIn.get(slug) ?? 0) + 1);
    },
    gainOf,
    rankOf: (url) => rankOfGain(gainOf(url)),
    meanGain: () => (total.settled === 0 ? 0 : total.gains / total.settled),
  };
}

function foldersOf(url: PageUrl): number {
  const { pathname } = new URL(url);
  return pathname.split('/').filter((segment) => segment !== '').length - (pathname.endsWith('/') ? 0 : 1);
}

/** The rank of a URL that no plan has ranked, which is that of a gain of 1; a ranked one never has it. */
const UNRANKED = 500;
const RANKS_PER_DOUBLING = 40;

/** A rank from 3 to 999; a URL with a greater gain is fetched earlier. */
export function rankOfGain(gain: number): number {
  const above = RANKS_PER_DOUBLING * Math.log2(Math.max(Number.MIN_VALUE, gain));
  const rank = Math.min(LAST_RANK, Math.max(FRONT_RANK + 1, Math.round(UNRANKED - above)));
  return rank === UNRANKED ? UNRANKED + 1 : rank;
}
