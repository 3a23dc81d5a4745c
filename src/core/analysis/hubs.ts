// Hubs are the pages that lead to a part of a site. Finds the hubs that menus, lists and the pattern of its URLs promise, and their outcomes.

import type { NavigationEntry } from '../discover/navigation.ts';
import type { PageUrl } from '../model/page-url.ts';
import { EVIDENCE, isNavigationLike, type Evidence, type KnownUrl } from './known-url.ts';
import { placeHubs, type SitePlaces } from './place-hubs.ts';
import { createLocator, folderKey, titleOf, type SiteShape, type Taxonomy } from './site-shape.ts';

export const HUB_STATUSES = ['expected', 'found', 'validated', 'missing'] as const;
export type HubStatus = (typeof HUB_STATUSES)[number];

/** A type, because it is stored as JSON. */
export type Hub = {
  readonly url: PageUrl;
  readonly taxonomy: Taxonomy;
  readonly slug: string;
  readonly label: string;
  readonly expectedBy: readonly Evidence[];
  /** Number of URLs below it. */
  readonly below: number;
  readonly status: HubStatus;
  readonly httpStatus: number | null;
  /** Whether the site names this URL; otherwise it only matches the pattern of its siblings. */
  readonly isNamed: boolean;
  /** The kind of place, such as country, for a hub of a place; otherwise null. */
  readonly placeKind: string | null;
};

const MAX_HUBS = 2000;
const MAX_FOLDERS = 200_000;
const MIN_BELOW = 3;
/** Menus of these levels name parts of the site. */
const MAX_MENU_LEVEL = 2;
/** Number of siblings that must have a URL before it is expected of another. */
const MIN_SIBLINGS = 3;
const MAX_DEPTH = 10;

export interface KnownSite {
  readonly shape: SiteShape;
  readonly urls: readonly KnownUrl[];
  /** Menus of the start page and of hubs. */
  readonly navigation: readonly NavigationEntry[];
  /** Null without a gazetteer. */
  readonly places: SitePlaces | null;
}

interface Draft {
  readonly url: PageUrl;
  readonly taxonomy: Taxonomy;
  readonly slug: string;
  readonly label: string | null;
  readonly by: Set<Evidence>;
  readonly isNamed: boolean;
  readonly placeKind?: string | null;
}

/** The best evidence first, then those with the most URLs below, then by URL. */
export function findHubs({ shape, urls, navigation, places }: KnownSite): readonly Hub[] {
  const below = countBelow(urls);
  const byFolder = new Map<string, KnownUrl>();
  for (const known of urls)
    if (isBetter(known, byFolder.get(folderKey(known.url)))) byFolder.set(folderKey(known.url), known);
  const drafts = new Map<string, Draft>();
  const add = (draft: Draft): void => {
    const key = folderKey(draft.url);
    const known = drafts.get(key);
    if (known !== undefined) for (const by of draft.by) known.by.add(by);
    else if (drafts.size < MAX_HUBS) drafts.set(key, draft);
  };
  const menus = menuLabels(navigation);
  for (const draft of fromPlaces(urls, menus, places)) add(draft);
  for (const draft of fromTaxonomies(shape, { below, byFolder })) add(draft);
  for (const draft of fromSections(shape, byFolder)) add(draft);
  for (const draft of fromMenus(navigation, shape, { below, byFolder })) add(draft);
  return [...drafts]
    .map(([key, draft]) =>
      hubOf(draft, byFolder.get(key) ?? null, { urls, below: below.get(key) ?? 0, label: menus.get(key) }),
    )
    .filter((hub) => hub !== null)
    .sort(byEvidence);
}

function byEvidence(a: Hub, b: Hub): number {
  const rank = ({ expectedBy }: Hub): number => Math.min(...expectedBy.map((by) => EVIDENCE.indexOf(by)));
  return rank(a) - rank(b) || b.below - a.below || (a.url < b.url ? -1 : a.url > b.url ? 1 : 0);
}

/** Among several spellings of a URL, the stored one is better. */
function isBetter(known: KnownUrl, other: KnownUrl | undefined): boolean {
  const value = { stored: 4, moved: 3, queued: 2, gone: 1, 'left-out': 0 } as const;
  return known.state !== 'left-out' && (other === undefined || value[known.state] > value[other.state]);
}

/** Maps the key of each folder above a URL. */
function countBelow(urls: readonly KnownUrl[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { url, state } of urls) {
    if (state === 'left-out') continue;
    let key = folderKey(url);
    for (let steps = 0; steps < MAX_DEPTH; steps += 1) {
      const slash = key.lastIndexOf('/');
      if (slash < 3) break;
      key = key.slice(0, slash);
      const count = counts.get(key);
      if (count !== undefined || counts.size < MAX_FOLDERS) counts.set(key, (count ?? 0) + 1);
    }
  }
  return counts;
}

function menuLabels(navigation: readonly NavigationEntry[]): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const { url, label } of navigation)
    if (label !== '' && !labels.has(folderKey(url))) labels.set(folderKey(url), label);
  return labels;
}

/** Labels of the sections, by their slugs: what the menus call them. */
export function sectionLabels(navigation: readonly NavigationEntry[]): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const { url, label, level } of navigation) {
    const slug = folderKey(url).split('/').at(-1) ?? '';
    if (label !== '' && level <= MAX_MENU_LEVEL && !labels.has(slug)) labels.set(slug, label);
  }
  return labels;
}

function evidenceOf({ listedBy, state }: KnownUrl): Set<Evidence> {
  const by = new Set<Evidence>(listedBy === null ? [] : [listedBy]);
  if (state === 'stored') by.add('stored');
  return by;
}

/** By their keys: the number of URLs below each, and its own URL. */
interface Folders {
  readonly below: ReadonlyMap<string, number>;
  readonly byFolder: ReadonlyMap<string, KnownUrl>;
}

/** Menu entries that lead to a part of the site, and entries that lead nowhere, because a menu promises them. */
function* fromMenus(
  navigation: readonly NavigationEntry[],
  shape: SiteShape,
  { below, byFolder }: Folders,
): Generator<Draft> {
  const locate = createLocator(shape);
  for (const { url, label, level } of navigation) {
    const key = folderKey(url);
    const isExpected = (below.get(key) ?? 0) >= MIN_BELOW || isBroken(byFolder.get(key));
    if (level > MAX_MENU_LEVEL || !isExpected) continue;
    const { section, location } = locate(url);
    const slug = section?.slug ?? location.rest[0];
    // The start page itself, or another site.
    if (slug === undefined) continue;
    yield { url, taxonomy: 'section', slug, label, by: new Set(['navigation']), isNamed: true };
  }
}

/** A page that has no text without a browser, such as the search of a site, is not broken. */
function isBroken(known: KnownUrl | undefined): boolean {
  return known?.state === 'gone' && (known.status === null || known.status >= 400);
}

function* fromPlaces(
  urls: readonly KnownUrl[],
  menus: ReadonlyMap<string, string>,
  places: SitePlaces | null,
): Generator<Draft> {
  if (places === null) return;
  for (const { url, slug, place, by, isNamed } of placeHubs(urls, new Set(menus.keys()), places))
    yield { url, taxonomy: 'place', slug, label: place.name, by: new Set(by), isNamed, placeKind: place.kind };
}

function* fromSections(shape: SiteShape, byFolder: ReadonlyMap<string, KnownUrl>): Generator<Draft> {
  for (const { slug, label } of shape.sections) {
    const known = byFolder.get(`//${shape.host}${shape.folder}/${slug}`);
    if (known === undefined) continue;
    yield { url: known.url, taxonomy: 'section', slug, label, by: evidenceOf(known), isNamed: true };
  }
}

function* fromTaxonomies(shape: SiteShape, { below, byFolder }: Folders): Generator<Draft> {
  for (const { taxonomy, folder, members: all } of shape.siblings) {
    const keyOf = (member: string): string => `//${shape.host}${folder}/${member}`;
    const at = (member: string): KnownUrl | undefined => byFolder.get(keyOf(member));
    const members = all.filter((member) => !isSinglePage(at(member), below.get(keyOf(member)) ?? 0));
    const named = members.flatMap((member) => at(member)?.url ?? []);
    const [sample] = named;
    for (const slug of members) {
      const known = at(slug);
      if (known !== undefined)
        yield { url: known.url, taxonomy, slug, label: null, by: evidenceOf(known), isNamed: true };
      else if (sample !== undefined && named.length >= MIN_SIBLINGS)
        yield {
          url: siblingOf(sample, folder, slug),
          taxonomy,
          slug,
          label: null,
          by: new Set(['taxonomy']),
          isNamed: false,
        };
    }
  }
}

/** A page about a version, such as its release notes, does not lead to the documentation of that version: `/releases/1.4.html`. */
function isSinglePage(known: KnownUrl | undefined, below: number): boolean {
  if (known === undefined || below > 0) return false;
  return !/\/(?:index\.\w+)?$/.test(new URL(known.url).pathname);
}

/** Spelled like the URL of another member: with a final slash, or an extension. */
function siblingOf(sample: PageUrl, folder: string, member: string): PageUrl {
  const { origin, pathname } = new URL(sample);
  const after = pathname.slice(folder.length + 1);
  const ending = /^[^/.]*?((?:\/|\.[a-z]+|\/index\.[a-z]+)?)$/i.exec(after)?.[1] ?? '/';
  return `${origin}${folder}/${member}${ending}` as PageUrl;
}

function hubOf(
  { url, taxonomy, slug, label, by, isNamed, placeKind = null }: Draft,
  known: KnownUrl | null,
  context: { readonly urls: readonly KnownUrl[]; readonly below: number; readonly label: string | undefined },
): Hub | null {
  const expectedBy = EVIDENCE.filter((one) => by.has(one));
  if (expectedBy.length === 0) expectedBy.push('stored');
  const { status, httpStatus } = statusOf(known, context.below);
  return {
    url: known?.url ?? url,
    taxonomy,
    slug,
    label: context.label ?? label ?? (taxonomy === 'section' || taxonomy === 'product' ? titleOf(slug) : slug),
    expectedBy,
    below: context.below,
    status,
    httpStatus,
    isNamed,
    placeKind,
  };
}

function statusOf(known: KnownUrl | null, below: number): Pick<Hub, 'status' | 'httpStatus'> {
  if (known?.state === 'stored')
    return { status: isNavigationLike(known) || below === 0 ? 'validated' : 'found', httpStatus: 200 };
  // Where it leads is in the scope of the crawl, or it would be left out.
  if (known?.state === 'moved') return { status: 'validated', httpStatus: 200 };
  if (known?.state === 'gone') return { status: 'missing', httpStatus: known.status };
  return { status: 'expected', httpStatus: null };
}
