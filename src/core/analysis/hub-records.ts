// The record of a hub that an analysis found, in columns that a specification fixes, and the milestone of a site whose hubs are known.

import type { MilestoneReport } from '../model/milestone.ts';
import { hostOf, type PageUrl } from '../model/page-url.ts';
import type { ANALYSIS_JOB } from './analysis-run.ts';
import type { Hub } from './hubs.ts';
import type { KnownUrl } from './known-url.ts';
import { createLocator, segmentsOf, TAXONOMIES, titleOf, type SiteShape, type Taxonomy } from './site-shape.ts';

export interface HubTopic {
  readonly slug: string;
  readonly label: string;
  /** `section` if it is a section of the site, `path-segment` if it is only the segment before the last one. */
  readonly kind: 'section' | 'path-segment';
}

/** The topic of a page that leads to one part of it: `/sport/somerset` is about sport. */
export function topicOf(url: PageUrl, shape: SiteShape, labels: ReadonlyMap<string, string>): HubTopic | null {
  const { section } = createLocator(shape)(url);
  const before = segmentsOf(url).at(-2);
  const slug = before ?? section?.slug;
  if (slug === undefined) return null;
  const known = shape.sections.find((one) => one.slug === slug);
  if (known !== undefined && section?.slug === slug) return { slug, label: known.label, kind: 'section' };
  return { slug, label: labels.get(slug) ?? titleOf(slug), kind: 'path-segment' };
}

export interface HubDetails {
  readonly host: string;
  readonly url: PageUrl;
  readonly memberKind: string | null;
  readonly topicSlug: string | null;
  readonly topicLabel: string | null;
  readonly topicKind: HubTopic['kind'] | null;
  readonly evidence: {
    readonly [name: string]: string | number | null | readonly string[] | { readonly [name: string]: string };
  };
  readonly memberSlug: string | null;
  readonly title: string | null;
  readonly navLinksCount: number | null;
  readonly articleLinksCount: number | null;
  readonly taxonomy: Taxonomy;
  readonly status: Hub['status'];
  readonly httpStatus: number | null;
  readonly expectedBy: Hub['expectedBy'];
}

/** A hub with the evidence of an analysis. */
export function analyzedHub(
  hub: Hub,
  page: KnownUrl | null,
  { shape, labels }: { readonly shape: SiteShape; readonly labels: ReadonlyMap<string, string> },
): HubDetails {
  const { url, taxonomy, slug, label, status, httpStatus, expectedBy, placeKind } = hub;
  const isSection = taxonomy === 'section';
  const topic: HubTopic | null = isSection ? { slug, label, kind: 'section' } : topicOf(url, shape, labels);
  const source = isSection && expectedBy.includes('navigation') ? 'navigation' : 'path';
  const counted = countsOf(page);
  const { navLinksCount, articleLinksCount } = counted;
  const links = { nav_links_count: navLinksCount, article_links_count: articleLinksCount };
  const evidence = { reason: 'nav-or-hub', slug, urlMatches: [taxonomy], ...links };
  return {
    ...counted,
    ...topicColumns(topic),
    host: hostOf(url),
    url,
    memberKind: placeKind,
    evidence: topic === null ? evidence : { ...evidence, topic: { ...topic, source } },
    memberSlug: isSection ? null : slug,
    taxonomy,
    status,
    httpStatus,
    expectedBy,
  };
}

function topicColumns(topic: HubTopic | null): Pick<HubDetails, 'topicSlug' | 'topicLabel' | 'topicKind'> {
  if (topic === null) return { topicSlug: null, topicLabel: null, topicKind: null };
  return { topicSlug: topic.slug, topicLabel: topic.label, topicKind: topic.kind };
}

function countsOf(page: KnownUrl | null): Pick<HubDetails, 'title' | 'navLinksCount' | 'articleLinksCount'> {
  if (page?.state !== 'stored') return { title: null, navLinksCount: null, articleLinksCount: null };
  return { title: page.title, navLinksCount: page.navLinks, articleLinksCount: page.contentLinks };
}

/** A hub as a plan seeds it: an analysis fills in the rest after the first pass. */
export function seededHub({ url, taxonomy, expectedBy }: Hub): HubDetails {
  return {
    host: hostOf(url),
    url,
    memberKind: null,
    topicSlug: null,
    topicLabel: null,
    topicKind: null,
    evidence: { by: 'intelligent-plan', reason: 'learned-section-or-country' },
    memberSlug: null,
    title: null,
    navLinksCount: null,
    articleLinksCount: null,
    taxonomy,
    status: 'expected',
    httpStatus: null,
    expectedBy,
  };
}

const isKnown = ({ status }: Hub): boolean => status === 'validated';

/** The share of hubs that counts as almost all. */
const UNDERSTOOD_SHARE = 0.95;
const MIN_SECTIONS = 3;
const MIN_MEMBERS = 5;
const MAX_LISTED = 50;
/** Hubs of so many countries make a news site a global one. */
const MIN_COUNTRIES = 20;

export interface UnderstoodSite {
  readonly host: string;
  /** As an analysis found it; null before there is one. */
  readonly hostKind: string | null;
  readonly hubs: readonly Hub[];
  /** Part of the details if an analysis found it to be due, and not the crawl. */
  readonly source?: typeof ANALYSIS_JOB;
}

/** Whether a host has a place in the news of many countries. */
export function isGlobalNews({ hostKind, hubs }: Pick<UnderstoodSite, 'hostKind' | 'hubs'>): boolean {
  return hostKind === 'news' && countryHubs(hubs).filter(isNamedHub).length >= MIN_COUNTRIES;
}

const countryHubs = (hubs: readonly Hub[]): readonly Hub[] => hubs.filter(({ placeKind }) => placeKind === 'country');
const isNamedHub = ({ isNamed }: Hub): boolean => isNamed;

/**
 * Of a global news site: the hubs of almost every country are known, and validated. Of another site: its sections, and every other taxonomy
 * of some size. Null if it is not due.
 */
export function understanding(site: UnderstoodSite): MilestoneReport | null {
  const found = isGlobalNews(site) ? understoodCountries(site.hubs) : understoodSections(site.hubs);
  if (found === null) return null;
  const { target, message, details } = found;
  const source = site.source === undefined ? {} : { source: site.source };
  return { kind: 'full-understanding', scope: site.host, target, message, details: { ...details, ...source } };
}

type Understood = Pick<MilestoneReport, 'target' | 'message' | 'details'>;

/** A country has one hub or several; those that no page names are missing too. */
function understoodCountries(hubs: readonly Hub[]): Understood | null {
  const byPlace = [...Map.groupBy(countryHubs(hubs), ({ slug }) => slug)];
  const missing = byPlace
    .filter(([, some]) => !some.some(isKnown))
    .map(([slug]) => slug)
    .sort();
  const countriesCovered = byPlace.length - missing.length;
  if (countriesCovered < byPlace.length * UNDERSTOOD_SHARE) return null;
  const details = { countriesCovered, missing: missing.length, missingList: missing.slice(0, MAX_LISTED) };
  return { target: 'country', message: 'Country hubs validated', details };
}

function understoodSections(hubs: readonly Hub[]): Understood | null {
  const byTaxonomy = TAXONOMIES.map((taxonomy) => ({
    taxonomy,
    members: hubs.filter((hub) => hub.taxonomy === taxonomy),
  }));
  const counted = byTaxonomy.filter(
    ({ taxonomy, members }) => members.length >= (taxonomy === 'section' ? MIN_SECTIONS : MIN_MEMBERS),
  );
  const sections = counted.find(({ taxonomy }) => taxonomy === 'section')?.members;
  if (sections === undefined) return null;
  if (counted.some(({ members }) => members.filter(isKnown).length < members.length * UNDERSTOOD_SHARE)) return null;
  const missing = sections.filter((hub) => !isKnown(hub)).map(({ slug }) => slug);
  const covered = sections.length - missing.length;
  const details = { taxonomy: 'section', covered, missing: missing.length, missingList: missing.slice(0, MAX_LISTED) };
  return { target: 'section', message: 'Section hubs validated', details };
}
