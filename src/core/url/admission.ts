// One verdict on one candidate URL: normalise, then scope, robots, query string and traps, in this order. A refusal
// names its reason and its rule, and is recorded as it stands.

import { parsePageUrl, type PageUrl } from '../model/page-url.ts';
import { ASSET_EXTENSIONS } from './asset-extensions.table.ts';
import { normaliseUrl } from './normalize.ts';
import { queryVerdict, type QueryPolicy } from './query-policy.ts';
import { scopeVerdict, type Scope } from './url-filter.ts';
import { trapVerdict, type TrapLimits } from './crawl-traps.ts';

export interface Candidate {
  /** Absolute, or relative to `base`. */
  readonly href: string;
  readonly base?: PageUrl;
  /** Links away from a start URL. */
  readonly depth: number;
}

/** Why robots.txt refuses a URL; null where it may be asked. The caller holds the files of all hosts. */
export type RobotsGate = (url: PageUrl) => string | null;

export interface AdmissionRules {
  readonly scope: Scope;
  readonly robots: RobotsGate;
  readonly query: QueryPolicy;
  readonly traps: TrapLimits;
}

export type RefusalReason =
  | 'asset'
  | 'bad-url'
  | 'discovery-file'
  | 'duplicate'
  | 'max-depth'
  | 'out-of-scope'
  | 'query-skip'
  | 'robots-disallow'
  | 'trap';

export type AdmissionVerdict =
  | {
      readonly admit: true;
      readonly url: PageUrl;
      /** The URL as it was written, where parameters were taken away or moved: it leads to the same page. */
      readonly alias: PageUrl | null;
      readonly droppedParameters: readonly string[];
    }
  | {
      readonly admit: false;
      readonly reason: RefusalReason;
      readonly rule: string;
      /** Null where the text is no URL. */
      readonly url: PageUrl | null;
    };

export function admissionVerdict(candidate: Candidate, rules: AdmissionRules): AdmissionVerdict {
  const normalised = normaliseUrl(candidate.href, candidate.base);
  if (!normalised.ok) return { admit: false, reason: 'bad-url', rule: normalised.why, url: null };
  const offered = normalised.url;
  const refused = placeRefusal(offered, candidate.depth, rules.scope) ?? robotsRefusal(offered, rules.robots);
  if (refused !== null) return { admit: false, ...refused, url: offered };

  const query = queryVerdict(offered, rules.query);
  if (query.kind === 'skipped') {
    return { admit: false, reason: 'query-skip', rule: `parameter ${query.parameter}`, url: offered };
  }
  // Without some parameters it is another URL, for which robots.txt may say something else.
  const changed = query.url !== offered;
  const late = (changed ? robotsRefusal(query.url, rules.robots) : null) ?? trapRefusal(query.url, rules.traps);
  if (late !== null) return { admit: false, ...late, url: query.url };
  const droppedParameters = [...normalised.dropped, ...query.dropped];
  const alias = changed || droppedParameters.length > 0 ? parsePageUrl(candidate.href, candidate.base) : null;
  return { admit: true, url: query.url, alias, droppedParameters };
}

interface Refusal {
  readonly reason: RefusalReason;
  readonly rule: string;
}

function placeRefusal(url: PageUrl, depth: number, scope: Scope): Refusal | null {
  const verdict = scopeVerdict(url, depth, scope);
  if (!verdict.admit) return { reason: SCOPE_REASONS[verdict.because], rule: verdict.rule };
  const name = new URL(url).pathname.split('/').at(-1)?.toLowerCase() ?? '';
  if (DISCOVERY_FILES.has(name)) return { reason: 'discovery-file', rule: `${name} is never a document` };
  const extension = name.includes('.') ? (name.split('.').at(-1) ?? '') : '';
  if (SOURCE_OF_PAGE.test(url)) return { reason: 'duplicate', rule: 'the source text of a page' };
  return ASSET_EXTENSIONS.has(extension) ? { reason: 'asset', rule: `.${extension} files are not read` } : null;
}

const SCOPE_REASONS = {
  'bad-url': 'bad-url',
  'other-place': 'out-of-scope',
  'too-deep': 'max-depth',
  blocked: 'out-of-scope',
  'not-allowed': 'out-of-scope',
} as const satisfies Record<string, RefusalReason>;

/** Sphinx publishes what its pages were made from beside them. */
const SOURCE_OF_PAGE = /\/_sources\/[^?]*\.(?:rst|md|txt|ipynb)$/;

/** They tell where documents are; as documents they would double them. No pattern admits them. */
const DISCOVERY_FILES: ReadonlySet<string> = new Set(['llms.txt', 'llms-full.txt', 'robots.txt']);

function robotsRefusal(url: PageUrl, robots: RobotsGate): Refusal | null {
  const rule = robots(url);
  return rule === null ? null : { reason: 'robots-disallow', rule };
}

function trapRefusal(url: PageUrl, limits: TrapLimits): Refusal | null {
  const verdict = trapVerdict(url, limits);
  return verdict.trap ? { reason: 'trap', rule: `${verdict.shape}: ${verdict.rule}` } : null;
}
