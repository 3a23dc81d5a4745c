// The record of a hub that an analysis found, in columns that a specification fixes, and the milestone of a site whose hubs are known.

import type { MilestoneReport } from '../model/milestone.ts';
import { hostOf, type PageUrl } from '../model/page-url.ts';
import { ANALYSIS_JOB } from './analysis-run.ts';
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
  readonly memberKind: null;
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
  const { url, taxonomy, slug, label, status, httpStatus, expectedBy } = hub;
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
    memberKind: null,
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

/** Due once the sections of a site, and every other taxonomy of some size, have their hubs validated. */
export function understanding(
  host: string,
  hubs: readonly Hub[],
  job: string | null = ANALYSIS_JOB,
): MilestoneReport | null {
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
  return {
    kind: 'full-understanding',
    scope: host,
    target: 'section',
    message: 'Section hubs validated',
    details: {
      taxonomy: 'section',
      covered: sections.length - missing.length,
      missing: missing.length,
      missingList: missing.slice(0, MAX_LISTED),
      ...(job !== null && { source: job }),
    },
  };
}
