// The gaps of a planned run: promised hubs, URLs of patterns that the plan did not learn, and sections of uncertain pages.

import type { ProblemKind } from '../outcome/problem-kinds.table.ts';
import type { PageUrl } from '../model/page-url.ts';
import type { Coverage } from './coverage.ts';
import type { Hub } from './hubs.ts';
import type { KnownUrl } from './known-url.ts';
import { createLocator, titleOf, type SiteShape } from './site-shape.ts';

type GapDetail = string | number | null | readonly string[];

export interface Gap {
  readonly kind: Extract<ProblemKind, 'missing-hub' | 'unknown-pattern' | 'low-confidence'>;
  readonly severity: 'info' | 'warning';
  readonly target: string;
  readonly message: string;
  readonly details: Readonly<Record<string, GapDetail>>;
}

const MAX_REPORTED = 100;
const MAX_EXAMPLES = 3;
const MIN_PATTERN_URLS = 3;
const MIN_SECTION_PAGES = 20;
const LOW_CONFIDENCE = 0.5;
const MAX_LOW_SHARE = 0.2;

const NAMES: Readonly<Record<string, string>> = {
  navigation: 'the navigation',
  'llms-txt': 'llms.txt',
  sitemap: 'the sitemap',
  taxonomy: 'the addresses of its siblings',
  stored: 'stored pages',
};

export interface PlannedSite {
  readonly shape: SiteShape;
  readonly planned: SiteShape;
  readonly urls: readonly KnownUrl[];
  readonly hubs: readonly Hub[];
}

/** Problems of a kind are reported one by one up to a limit, the rest once with their count. */
export function planGaps({ shape, planned, urls, hubs }: PlannedSite): readonly Gap[] {
  const all = [missingHubs(hubs), unknownPatterns(shape, planned, urls), lowConfidence(shape, urls)];
  return all.flatMap((gaps) => {
    const [first] = gaps;
    if (first === undefined || gaps.length <= MAX_REPORTED) return gaps;
    const more = gaps.length - MAX_REPORTED;
    const rest = { ...first, target: 'others', message: `${more} more of this kind`, details: { count: more } };
    return [...gaps.slice(0, MAX_REPORTED), rest];
  });
}

function missingHubs(hubs: readonly Hub[]): Gap[] {
  return hubs
    .filter(({ status }) => status === 'missing')
    .map(({ url, taxonomy, slug, expectedBy, httpStatus, placeKind }) => ({
      kind: 'missing-hub',
      severity: 'warning',
      target: new URL(url).pathname,
      message: `${titleOf(placeKind ?? taxonomy)} hub not found, which is named by ${expectedBy.map((by) => NAMES[by] ?? by).join(' and ')}`,
      details: { slug, taxonomy, expectedBy, url, status: httpStatus },
    }));
}

function unknownPatterns(shape: SiteShape, planned: SiteShape, urls: readonly KnownUrl[]): Gap[] {
  const learned = new Set(planned.patterns.map(({ pattern }) => pattern));
  const locate = createLocator(shape);
  const unknown = new Map<string, PageUrl[]>();
  const isNew = new Set(
    shape.patterns
      .filter(({ pattern, urls: n }) => n >= MIN_PATTERN_URLS && !learned.has(pattern))
      .map(({ pattern }) => pattern),
  );
  for (const { url, state } of urls) {
    const { pattern } = locate(url);
    if (state === 'left-out' || !isNew.has(pattern)) continue;
    unknown.set(pattern, [...(unknown.get(pattern) ?? []).slice(0, MAX_EXAMPLES - 1), url]);
  }
  return shape.patterns.flatMap(({ pattern, urls: n }) => {
    const examples = unknown.get(pattern);
    return examples === undefined
      ? []
      : [
          {
            kind: 'unknown-pattern' as const,
            severity: 'info' as const,
            target: pattern,
            message: `${n} URLs match no pattern of the plan`,
            details: { urls: n, examples },
          },
        ];
  });
}

function lowConfidence(shape: SiteShape, urls: readonly KnownUrl[]): Gap[] {
  const locate = createLocator(shape);
  const stored = urls.filter(({ state, confidence }) => state === 'stored' && confidence !== null);
  return [...Map.groupBy(stored, ({ url }) => locate(url).section?.slug ?? null)].flatMap(([slug, pages]) => {
    const low = pages.filter(({ confidence }) => (confidence ?? 1) < LOW_CONFIDENCE);
    if (slug === null || pages.length < MIN_SECTION_PAGES || low.length <= pages.length * MAX_LOW_SHARE) return [];
    const examples = low.slice(0, MAX_EXAMPLES).map(({ url }) => url);
    const share = Math.round((low.length / pages.length) * 100) / 100;
    return [
      {
        kind: 'low-confidence' as const,
        severity: 'info' as const,
        target: slug,
        message: `The kind of ${low.length} of ${pages.length} pages of a section is uncertain`,
        details: { pages: pages.length, share, examples },
      },
    ];
  });
}

export interface PlanResult {
  readonly seeded: readonly Hub[];
  readonly hubs: readonly Hub[];
  readonly coverage: Pick<Coverage, 'coverage' | 'sections'>;
}

/** `Plan: 14 of 15 hubs found, 96% of promised pages` */
export function summarizePlan({ seeded, hubs, coverage }: PlanResult) {
  const byUrl = new Map(hubs.map((hub) => [hub.url, hub.status]));
  const statuses = seeded.map(({ url }) => byUrl.get(url) ?? 'expected');
  const count = (...wanted: readonly Hub['status'][]): number =>
    statuses.filter((status) => wanted.includes(status)).length;
  const counts = {
    seeded: seeded.length,
    visited: count('found', 'validated', 'missing'),
    validated: count('validated'),
    missing: hubs.filter(({ status }) => status === 'missing').length,
  };
  const share = Math.floor(coverage.coverage * 100);
  const message = `Plan: ${count('found', 'validated')} of ${seeded.length} hubs found, ${share}% of promised pages`;
  return { message, hubs: counts, sections: coverage.sections.length };
}
