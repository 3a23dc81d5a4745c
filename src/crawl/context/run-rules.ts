// The rules of a run: what it may crawl, and how. Loaded once and cached, since a run's settings never change.

import type { LinkCandidate } from '../../core/discover/link-candidates.ts';
import { cacheLoads, createLruCache } from '../../core/lru-cache.ts';
import { pageUrl, type PageUrl } from '../../core/model/page-url.ts';
import type { RunId, RunMode } from '../../core/model/run.ts';
import { parseHeaderTemplate } from '../../core/model/setting-formats.ts';
import { SourceSettings } from '../../core/model/source-settings.ts';
import {
  createTrapBudget,
  DEFAULT_TRAP_BUDGET,
  DEFAULT_TRAP_LIMITS,
  type TrapBudget,
  type TrapLimits,
} from '../../core/url/crawl-traps.ts';
import { createHashRoutes, type HashRoutes } from '../../core/url/hash-route.ts';
import { parseQueryPolicy, type QueryPolicy } from '../../core/url/query-policy.ts';
import { compileUrlFilter, type UrlFilter } from '../../core/url/url-filter.ts';
import type { CrawlLimits } from './ports.ts';
import type { SecretFor } from '../../platform/secrets.ts';
import type { Store } from '../../store/port.ts';
import type { Run } from '../../store/port/runs.ts';

export interface RunRules {
  readonly startUrl: PageUrl;
  readonly settings: SourceSettings;
  /** The run has its own URL filter: pages outside it are kept, not removed. */
  readonly isNarrowed: boolean;
  readonly urlFilter: UrlFilter;
  readonly query: QueryPolicy;
  readonly traps: TrapLimits;
  readonly headers: SourceHeaders;
  readonly mode: RunMode;
  /** Now and then pages are fetched without validators, because some servers send wrong ones. */
  readonly trustsValidators: boolean;
  readonly trapBudget: TrapBudget;
  readonly enqueuedLinks: EnqueuedLinks;
  readonly hashRoutes: HashRoutes;
  /** Which malformed links were not recorded yet: the first ones of a run. */
  readonly newMalformed: (links: readonly string[]) => readonly string[];
  /** Which licenses were not recorded yet. */
  readonly newLicenses: (urls: readonly string[]) => readonly string[];
}

const MAX_RECORDED = 100;

/** The first ones of a run: a site may have any number. */
function createRecorded(): (links: readonly string[]) => readonly string[] {
  const recorded = new Set<string>();
  return (links) => {
    const fresh = links.filter((link) => !recorded.has(link)).slice(0, MAX_RECORDED - recorded.size);
    for (const link of fresh) recorded.add(link);
    return fresh;
  };
}

/** Not every URL leads to a page. */
const MORE_URLS = 1000;

/** How many URLs a run can use: twice as many as it may store, and some more. */
export function maxUrlsOf({ settings }: Pick<RunRules, 'settings'>, limits: Pick<CrawlLimits, 'maxPages'>): number {
  return 2 * (settings.maxPages ?? limits.maxPages) + MORE_URLS;
}

export type LoadRunRules = (run: RunId) => Promise<RunRules>;

/** More than there are live runs: their trap budgets are here. */
const MAX_CACHE_ENTRIES = 2000;

export interface RunRulesDeps {
  readonly store: Store;
  readonly secretFor: SecretFor;
  readonly limits: Pick<CrawlLimits, 'maxUrlsPerPattern' | 'duplicateCheckPages'>;
}

export function createRunRulesLoader(deps: RunRulesDeps): LoadRunRules {
  const enqueuedLinksOf = createEnqueuedLinks();
  return cacheLoads(MAX_CACHE_ENTRIES, (run: RunId) => readRunRules(run, enqueuedLinksOf(run), deps));
}

/** Set for a retry run that is limited to one kind of failure. */
export const RETRIED_REASON = 'retriedReason';

/** Null if every failure is retried. */
export function retriedReason({ settings }: Run): string | null {
  const reason = settings[RETRIED_REASON];
  return typeof reason === 'string' ? reason : null;
}

const FILTER_SETTINGS = ['scope', 'include', 'exclude', 'maxDepth', 'queryParams'] as const satisfies ReadonlyArray<
  keyof SourceSettings
>;

/** A run's own settings override those of its source. */
async function readRunRules(
  id: RunId,
  enqueuedLinks: EnqueuedLinks,
  { store, secretFor, limits }: RunRulesDeps,
): Promise<RunRules> {
  const run = await store.runs.byId(id);
  const source = run === null ? null : await store.sources.byId(run.source);
  if (run === null || source === null) throw new Error(`run ${id} no longer has a source`);
  const { [RETRIED_REASON]: _, ...ownSettings } = run.settings;
  const settings = SourceSettings.parse({ ...source.settings, ...ownSettings });
  const startUrl = pageUrl(source.startUrl);
  const { scope, include, exclude, maxDepth } = settings;
  return {
    startUrl,
    settings,
    isNarrowed: FILTER_SETTINGS.some((name) => name in run.settings),
    urlFilter: compileUrlFilter({ starts: [startUrl], scope, include, exclude, maxDepth }),
    query: parseQueryPolicy(settings.queryParams),
    traps: DEFAULT_TRAP_LIMITS,
    headers: sourceHeaders(startUrl, settings.headers, secretFor),
    mode: run.mode,
    trustsValidators: run.mode !== 'full' && !(await isValidatorCheck(store, run)),
    trapBudget: createTrapBudget({ ...DEFAULT_TRAP_BUDGET, ...limits }),
    enqueuedLinks,
    hashRoutes: createHashRoutes(),
    newMalformed: createRecorded(),
    newLicenses: createRecorded(),
  };
}

const VALIDATOR_CHECK_INTERVAL = 10;

/** Every tenth run of a version. */
async function isValidatorCheck(store: Store, { id }: Run): Promise<boolean> {
  return (await store.runs.ordinal(id)) % VALIDATOR_CHECK_INTERVAL === 0;
}

/**
 * Links that this process has already enqueued or excluded in a run. The pages of a site share most of their links, which
 * then need no second admission and no second write: pages with 300 links each took 20 ms of CPU instead of 25.
 */
export interface EnqueuedLinks {
  /** The links that were not enqueued before, or only on a longer path: one that was too deep may be admitted now. */
  notEnqueued<T extends EnqueuedLink>(links: readonly T[]): readonly T[];
  /** Only after the commit: a lost write must be repeated. */
  add(links: readonly EnqueuedLink[]): void;
}

type EnqueuedLink = Pick<LinkCandidate, 'url' | 'depth'>;

/** Limit for all runs together. An evicted link is enqueued again, which costs time and changes nothing. */
const MAX_CACHED_LINKS = 200_000;

export function createEnqueuedLinks(maxLinks = MAX_CACHED_LINKS): (run: RunId) => EnqueuedLinks {
  const depths = createLruCache<string, number>(maxLinks);
  const depthOf = (run: RunId, url: string): number => depths.get(`${run} ${url}`) ?? Number.POSITIVE_INFINITY;
  return (run) => ({
    notEnqueued: (links) => links.filter(({ url, depth }) => depth < depthOf(run, url)),
    add(links) {
      for (const { url, depth } of links) depths.set(`${run} ${url}`, Math.min(depth, depthOf(run, url)));
    },
  });
}

/**
 * The headers of a private source, with their secrets filled in. They are sent to the origin of its start URL and
 * nowhere else.
 */
export interface SourceHeaders {
  readonly headersFor: (url: PageUrl) => Readonly<Record<string, string>>;
  /** Why they cannot be sent, without the value of any secret; null if they can. */
  readonly problem: string | null;
}

const NO_HEADERS: Readonly<Record<string, string>> = {};

export function sourceHeaders(start: PageUrl, templates: readonly string[], secretFor: SecretFor): SourceHeaders {
  if (templates.length === 0) return { headersFor: () => NO_HEADERS, problem: null };
  const { origin } = new URL(start);
  const headers: Record<string, string> = {};
  for (const text of templates) {
    const template = parseHeaderTemplate(text);
    if (template === null) return unusableHeaders(`the header ${text.split(':')[0]} is malformed`);
    let value = '';
    for (const part of template.parts) {
      if ('text' in part) {
        value += part.text;
        continue;
      }
      const secret = secretFor(part.variable, origin);
      if (secret.kind === 'not-opened')
        return unusableHeaders(
          `the operator has not allowed ${part.variable} for ${origin}; set PINAKES_FETCH_SECRETS=${part.variable}@${origin}`,
        );
      if (secret.kind === 'empty')
        return unusableHeaders(`the variable ${part.variable} is not set where the worker runs`);
      value += secret.value;
    }
    headers[template.name] = value;
  }
  // Another port or scheme is another origin.
  return { headersFor: (url) => (new URL(url).origin === origin ? headers : NO_HEADERS), problem: null };
}

function unusableHeaders(problem: string): SourceHeaders {
  return { headersFor: () => NO_HEADERS, problem };
}
