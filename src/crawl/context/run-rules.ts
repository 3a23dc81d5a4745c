// The rules of a run: what its source may take. Read once and remembered, since a run's settings never change.

import { pageUrl, type PageUrl } from '../../core/model/page-url.ts';
import type { RunId, RunMode } from '../../core/model/run.ts';
import { SourceSettings } from '../../core/model/source-settings.ts';
import { queryPolicyOf, type QueryPolicy } from '../../core/url/query-policy.ts';
import { compileScope, type Scope } from '../../core/url/url-filter.ts';
import { createTrapBudget, DEFAULT_TRAP_BUDGET, type TrapBudget } from '../../core/url/trap-budget.ts';
import { DEFAULT_TRAP_LIMITS, type TrapLimits } from '../../core/url/crawl-traps.ts';
import type { SecretFor } from '../../platform/secrets.ts';
import type { Run, Store } from '../../store/port.ts';
import type { CrawlLimits } from './ports.ts';
import { createSeenLinks, type SeenLinks } from '../../operate/seen-links.ts';
import { sourceHeaders, type SourceHeaders } from '../../operate/source-headers.ts';

export interface RunRules {
  readonly start: PageUrl;
  readonly settings: SourceSettings;
  /** The run has a scope of its own: what lies outside it is left alone, not removed. */
  readonly isNarrowed: boolean;
  readonly scope: Scope;
  readonly query: QueryPolicy;
  readonly traps: TrapLimits;
  readonly headers: SourceHeaders;
  readonly mode: RunMode;
  /** Now and then pages are asked without validators, because some servers do not tell the truth about them. */
  readonly trustsValidators: boolean;
  readonly budget: TrapBudget;
  readonly seenLinks: SeenLinks;
}

export type RulesOf = (run: RunId) => Promise<RunRules>;

/** Runs that ended are forgotten with the oldest; a worker meets few at a time. */
const REMEMBERED = 200;

export interface RulesDeps {
  readonly store: Store;
  readonly secretFor: SecretFor;
  readonly limits: Pick<CrawlLimits, 'maxUrlsPerShape' | 'repeatSample'>;
}

export function createRulesOf(deps: RulesDeps): RulesOf {
  const known = new Map<RunId, Promise<RunRules>>();
  return (run) => {
    let rules = known.get(run);
    if (rules === undefined) {
      if (known.size >= REMEMBERED) known.clear();
      rules = readRules(run, deps);
      known.set(run, rules);
      rules.catch(() => known.delete(run));
    }
    return rules;
  };
}

/** Said for a run that tries again, where only one kind of failure is meant. */
export const RETRIED_REASON = 'retriedReason';

/** Null where everything that failed is meant. */
export function retriedReason({ settings }: Run): string | null {
  const reason = settings[RETRIED_REASON];
  return typeof reason === 'string' ? reason : null;
}

const SCOPE_SETTINGS = ['breadth', 'allow', 'block', 'maxDepth', 'query'] as const satisfies ReadonlyArray<
  keyof SourceSettings
>;

/** A run's own settings stand over those of its source. */
async function readRules(id: RunId, { store, secretFor, limits }: RulesDeps): Promise<RunRules> {
  const run = await store.runs.byId(id);
  const source = (await store.sources.list()).find((candidate) => candidate.id === run?.source);
  if (run === null || source === undefined) throw new Error(`run ${id} has no source any more`);
  const { [RETRIED_REASON]: _, ...own } = run.settings;
  const settings = SourceSettings.parse({ ...source.settings, ...own });
  const start = pageUrl(source.start);
  const { breadth, allow, block, maxDepth } = settings;
  return {
    start,
    settings,
    isNarrowed: SCOPE_SETTINGS.some((name) => name in run.settings),
    scope: compileScope({ starts: [start], breadth, allow, block, maxDepth }),
    query: queryPolicyOf(settings.query),
    traps: DEFAULT_TRAP_LIMITS,
    headers: sourceHeaders(start, settings.headers, secretFor),
    mode: run.mode,
    trustsValidators: run.mode !== 'full' && !(await isChecking(store, run)),
    budget: createTrapBudget({ ...DEFAULT_TRAP_BUDGET, ...limits }),
    seenLinks: createSeenLinks(),
  };
}

const CHECK_EVERY = 10;

/** Every tenth run of a source. */
async function isChecking(store: Store, { id, source }: Run): Promise<boolean> {
  const runs = await store.runs.list(CHECK_EVERY * 100, source);
  const nth = runs.filter((run) => run.id <= id).length;
  return nth > 1 && nth % CHECK_EVERY === 0;
}
