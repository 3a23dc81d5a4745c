// The plan of a run: what is known about the site before the run begins, and the hubs it begins with. Bounded on any input.

import type { NavigationEntry } from '../discover/navigation.ts';
import type { MilestoneReport } from '../model/milestone.ts';
import { hostOf, type PageUrl } from '../model/page-url.ts';
import { findHubs, sectionLabels, type Hub } from './hubs.ts';
import type { KnownUrl } from './known-url.ts';
import type { SitePlaces } from './place-hubs.ts';
import { createLocator, folderKey, learnShape, type SiteShape } from './site-shape.ts';

/** A type, because it is stored as JSON. */
export type SitePlan = {
  readonly startUrl: PageUrl;
  readonly shape: SiteShape;
  /** The hubs that the run begins with, the best first. */
  readonly hubs: readonly Hub[];
  /** Hubs that could have been seeded. */
  readonly candidates: number;
  /** URLs in the menus of the start page. */
  readonly menu: readonly PageUrl[];
  /** Promised pages by section. */
  readonly promised: Readonly<Record<string, number>>;
  /** URLs known when the plan was made, and how many of them lists name. */
  readonly known: number;
  readonly listed: number;
  readonly primed: { readonly pages: number; readonly hubs: number; readonly patterns: number } | null;
};

export interface PlanInput {
  readonly startUrl: PageUrl;
  /** URLs of the frontier, after the lists of the site and earlier runs were added. */
  readonly urls: readonly KnownUrl[];
  /** Menus of the start page, as fetched now or as stored. */
  readonly navigation: readonly NavigationEntry[];
  /** Null without a gazetteer. */
  readonly places: SitePlaces | null;
  readonly maxSeeds: number;
  /** A hub with stored pages below is not seeded if none of them changed within this time; null for any age. */
  readonly maxAgeMs: number | null;
}

const MAX_LISTED_SECTIONS = 12;
const MAX_LISTED_URLS = 50;

export function makePlan({ startUrl, urls, navigation, places, maxSeeds, maxAgeMs }: PlanInput): SitePlan {
  const admitted = urls.filter(({ state }) => state !== 'left-out');
  const inFrontier = new Set(admitted.map(({ url }) => url));
  const menu = navigation.map(({ url }) => url);
  // Menus say more than lists about what belongs together, so their URLs are learned from first.
  const inMenu = new Set(menu);
  const learned = [...menu, ...admitted.map(({ url }) => url).filter((url) => !inMenu.has(url))];
  const shape = learnShape(learned, startUrl, sectionLabels(navigation));
  const all = findHubs({ shape, urls: [...admitted, ...namedOnly(navigation, inFrontier)], navigation, places });
  const ages = maxAgeMs === null ? new Map<string, number>() : youngestBelow(admitted);
  const candidates = all.filter(
    (hub) =>
      hub.isNamed &&
      hub.url !== startUrl &&
      hub.status !== 'missing' &&
      (ages.get(folderKey(hub.url)) ?? 0) <= (maxAgeMs ?? Number.POSITIVE_INFINITY),
  );
  const stored = urls.filter(({ state }) => state === 'stored').length;
  return {
    startUrl,
    shape,
    hubs: candidates.slice(0, maxSeeds),
    candidates: candidates.length,
    menu,
    promised: promisedBySection(admitted, shape),
    known: admitted.length,
    listed: admitted.filter(({ listedBy }) => listedBy !== null).length,
    primed: stored === 0 ? null : { pages: stored, hubs: all.length, patterns: shape.patterns.length },
  };
}

const MAX_FOLDERS = 200_000;

/** Time since the last change of a stored page below each folder. */
function youngestBelow(urls: readonly KnownUrl[]): ReadonlyMap<string, number> {
  const ages = new Map<string, number>();
  for (const { url, changedAgoMs } of urls) {
    if (changedAgoMs === null) continue;
    for (let key = folderKey(url); key.length > 3; key = key.slice(0, key.lastIndexOf('/'))) {
      const age = ages.get(key);
      if (age !== undefined || ages.size < MAX_FOLDERS) ages.set(key, Math.min(changedAgoMs, age ?? changedAgoMs));
      if (key.lastIndexOf('/') < 3) break;
    }
  }
  return ages;
}

/** URLs that a menu names and the frontier does not have yet. */
function namedOnly(navigation: readonly NavigationEntry[], known: ReadonlySet<PageUrl>): KnownUrl[] {
  return navigation
    .filter(({ url }) => !known.has(url))
    .map(({ url }) => ({
      key: '' as KnownUrl['key'],
      url,
      listedBy: null,
      state: 'queued',
      target: null,
      pageKind: null,
      navLinks: 0,
      inlinks: 0,
      contentLinks: 0,
      confidence: null,
      changedAgoMs: null,
      title: null,
      words: null,
      status: null,
    }));
}

function promisedBySection(urls: readonly KnownUrl[], shape: SiteShape): Record<string, number> {
  const locate = createLocator(shape);
  // A section may be called `constructor`.
  const counts = new Map<string, number>();
  for (const { url, listedBy } of urls) {
    const slug = listedBy === null ? undefined : locate(url).section?.slug;
    if (slug !== undefined) counts.set(slug, (counts.get(slug) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

/** Milestones of the plan, in the order in which they are reached. */
export function planMilestones(plan: SitePlan): readonly MilestoneReport[] {
  const { startUrl, shape, hubs, candidates, primed } = plan;
  const about = { scope: hostOf(startUrl), target: startUrl };
  const sections = shape.sections.slice(0, MAX_LISTED_SECTIONS).map(({ slug }) => slug);
  const patterns = shape.patterns.filter(({ pattern }) => pattern.includes('{')).slice(0, MAX_LISTED_SECTIONS);
  const known = 'Known pages, hubs and patterns are loaded';
  const urls = hubs.slice(0, MAX_LISTED_URLS).map(({ url }) => url);
  return [
    ...(primed === null ? [] : [{ kind: 'cache-primed', ...about, message: known, details: primed }]),
    {
      kind: 'patterns-learned',
      ...about,
      message: 'Homepage patterns inferred',
      details: { sections, patterns: patterns.map(({ pattern }) => pattern) },
    },
    {
      kind: 'seeds-prepared',
      ...about,
      message: `Seeded ${hubs.length} hubs`,
      details: { count: hubs.length, sections, candidates, urls },
    },
  ];
}
