// Decides whether a candidate URL is crawled: normalise, then URL filter, robots.txt, query policy and crawl traps, in this
// order. An exclusion names its reason and rule, and is recorded as it is.

import { parsePageUrl, type PageUrl } from '../model/page-url.ts';
import { ASSET_EXTENSIONS } from './asset-extensions.table.ts';
import { normalizeUrl } from './normalize.ts';
import { queryVerdict, type QueryPolicy } from './query-policy.ts';
import { urlFilterVerdict, type UrlFilter } from './url-filter.ts';
import { trapVerdict, type TrapLimits } from './crawl-traps.ts';

export interface Candidate {
  /** Absolute, or relative to `base`. */
  readonly href: string;
  readonly base?: PageUrl;
  /** Links away from a start URL. */
  readonly depth: number;
}

/** Why robots.txt keeps a URL from being fetched or used; null if it may be. The caller has the files of all hosts. */
export type RobotsCheck = (
  url: PageUrl,
) => { readonly reason: 'robots-disallow' | 'robots-unreachable' | 'usage-terms'; readonly rule: string } | null;

export interface AdmissionRules {
  readonly urlFilter: UrlFilter;
  readonly robots: RobotsCheck;
  readonly query: QueryPolicy;
  readonly traps: TrapLimits;
}

export type ExclusionReason =
  | 'asset'
  | 'bad-url'
  | 'discovery-file'
  | 'duplicate'
  | 'max-depth'
  | 'out-of-scope'
  | 'query-skip'
  | 'robots-disallow'
  | 'robots-unreachable'
  | 'trap'
  | 'usage-terms';

export type AdmissionVerdict =
  | {
      readonly admit: true;
      readonly url: PageUrl;
      /** The original URL if parameters were stripped or reordered: it leads to the same page. */
      readonly rawUrl: PageUrl | null;
      readonly droppedParameters: readonly string[];
    }
  | {
      readonly admit: false;
      readonly reason: ExclusionReason;
      readonly rule: string;
      /** Null if the text is not a URL. */
      readonly url: PageUrl | null;
    };

export function admissionVerdict(candidate: Candidate, rules: AdmissionRules): AdmissionVerdict {
  const normalized = normalizeUrl(candidate.href, candidate.base);
  if (!normalized.ok) return { admit: false, reason: 'bad-url', rule: normalized.reason, url: null };
  const candidateUrl = normalized.url;
  const exclusion = filterExclusion(candidateUrl, candidate.depth, rules.urlFilter) ?? rules.robots(candidateUrl);
  if (exclusion !== null) return { admit: false, ...exclusion, url: candidateUrl };

  const query = queryVerdict(candidateUrl, rules.query);
  if (query.kind === 'skipped') {
    return { admit: false, reason: 'query-skip', rule: `parameter ${query.parameter}`, url: candidateUrl };
  }
  // Without some of its parameters it is another URL, to which other rules of robots.txt may apply.
  const changed = query.url !== candidateUrl;
  const lateExclusion = (changed ? rules.robots(query.url) : null) ?? trapExclusion(query.url, rules.traps);
  if (lateExclusion !== null) return { admit: false, ...lateExclusion, url: query.url };
  const droppedParameters = [...normalized.dropped, ...query.dropped];
  const rawUrl = changed || droppedParameters.length > 0 ? parsePageUrl(candidate.href, candidate.base) : null;
  return { admit: true, url: query.url, rawUrl, droppedParameters };
}

interface Exclusion {
  readonly reason: ExclusionReason;
  readonly rule: string;
}

function filterExclusion(url: PageUrl, depth: number, filter: UrlFilter): Exclusion | null {
  const verdict = urlFilterVerdict(url, depth, filter);
  if (!verdict.admit) return { reason: FILTER_REASONS[verdict.reason], rule: verdict.rule };
  const name = new URL(url).pathname.split('/').at(-1)?.toLowerCase() ?? '';
  if (DISCOVERY_FILES.has(name)) return { reason: 'discovery-file', rule: `${name} is never a document` };
  const extension = name.includes('.') ? (name.split('.').at(-1) ?? '') : '';
  if (SOURCE_OF_PAGE.test(url)) return { reason: 'duplicate', rule: 'the source file of a page' };
  return ASSET_EXTENSIONS.has(extension) ? { reason: 'asset', rule: `.${extension} files are not supported` } : null;
}

const FILTER_REASONS = {
  'bad-url': 'bad-url',
  'out-of-scope': 'out-of-scope',
  'too-deep': 'max-depth',
  excluded: 'out-of-scope',
  'not-included': 'out-of-scope',
} as const satisfies Record<string, ExclusionReason>;

/** Sphinx publishes the source files of its pages next to them. */
const SOURCE_OF_PAGE = /\/_sources\/[^?]*\.(?:rst|md|txt|ipynb)$/;

/** Discovery files list documents; indexed as documents they would duplicate them. No pattern includes them. */
const DISCOVERY_FILES: ReadonlySet<string> = new Set(['llms.txt', 'llms-full.txt', 'robots.txt']);

function trapExclusion(url: PageUrl, limits: TrapLimits): Exclusion | null {
  const verdict = trapVerdict(url, limits);
  return verdict.trap ? { reason: 'trap', rule: `${verdict.shape}: ${verdict.rule}` } : null;
}
