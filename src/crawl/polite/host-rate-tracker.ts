// Tells each host's pace what its answers are like, and the run what changed and why. Most answers change nothing: then
// nothing is written, and what the store says of a host is read once a second at most.

import { observationOf } from '../../core/pace/observation-of.ts';
import {
  breakerNow,
  PACE_LIMITS,
  paceAfter,
  paceChange,
  type Observation,
  type PaceChange,
} from '../../core/rate/adapt-delay.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import { hostOf } from '../../core/model/page-url.ts';
import type { RunId } from '../../core/model/run.ts';
import type { FetchOutcome } from '../../fetch/port.ts';
import type { Hosts, HostState, Store } from '../../store/port.ts';
import type { ReportProblem } from '../context/report-problem.ts';
import type { CrawlLimits } from '../context/ports.ts';

export interface AskedHost {
  /** Null where no run asked. */
  readonly run: RunId | null;
  readonly url: PageUrl;
}

export interface HostWatch {
  observe(asked: AskedHost, outcome: FetchOutcome): Promise<void>;
  /** robots.txt was read; null where it asks for no delay. */
  crawlDelay(asked: AskedHost, crawlDelayMs: number | null): Promise<void>;
  /** A run is about to ask: its source may want to go slower than the host was asked before. */
  visit(asked: AskedHost): Promise<void>;
  /** How long the host is to be left alone. Where it is paced, never older than a fifth of a second. */
  pausedForMs(host: string, paceMs: number): Promise<number>;
}

export interface HostWatchDeps {
  readonly store: Pick<Store, 'hosts' | 'journal'>;
  readonly limits: Pick<CrawlLimits, 'startDelayMs' | 'minDelayMs' | 'breakerMs'>;
  readonly nowMs: () => number;
  readonly report: ReportProblem;
  /** The least time between two requests that the source of a run wants; 0 where it wants none. */
  readonly ownDelayMs: (run: RunId) => Promise<number>;
}

const FRESH_MS = 1000;
const FRESH_PAUSE_MS = 200;
const REMEMBERED = 10_000;

export function createHostWatch(deps: HostWatchDeps): HostWatch {
  const { store, nowMs } = deps;
  const seen = createSeenHosts(store.hosts, nowMs);
  const { startDelayMs, minDelayMs, breakerMs } = deps.limits;
  // Pacing that was turned off, for servers of one's own, stays off: slow answers slow nobody down.
  const range = startDelayMs === 0 ? { minDelayMs: 0, maxDelayMs: 0 } : { minDelayMs };
  const pace = { ...PACE_LIMITS, ...range, startDelayMs, breakerMs };

  async function adjust(asked: AskedHost, observed: Observed): Promise<void> {
    const host = hostOf(asked.url);
    const ownMs = asked.run === null ? 0 : await deps.ownDelayMs(asked.run);
    const limits = { ...pace, minDelayMs: Math.max(pace.minDelayMs, ownMs) };
    const next = (state: HostState): HostState => ({ ...paceAfter(state, observed.observation, limits), host });
    const guess = await seen.look(host, FRESH_MS);
    const guessed = next(guess);
    if (paceChange(guess, guessed) === null && isSame(guess, guessed)) return;
    let before = guess;
    const after = seen.remember(
      await store.hosts.adjust(host, (state) => {
        before = state;
        return next(state);
      }),
    );
    const change = paceChange(before, after);
    if (asked.run === null || change === null) return;
    await tell(asked.run, { before, after, change, because: observed.because }, deps);
  }

  return {
    async observe(asked, outcome) {
      const observation = observationOf(outcome);
      if (observation !== null) await adjust(asked, { observation, because: reasonOf(outcome) });
    },
    async crawlDelay(asked, crawlDelayMs) {
      const because = crawlDelayMs === null ? 'robots.txt asks for no delay' : `Crawl-delay ${crawlDelayMs / 1000}`;
      await adjust(asked, { observation: { kind: 'crawl-delay', crawlDelayMs }, because });
    },
    visit: (asked) => adjust(asked, { observation: { kind: 'visited' }, because: 'the source asks for it' }),
    async pausedForMs(host, paceMs) {
      return (await seen.look(host, paceMs === 0 ? FRESH_MS : FRESH_PAUSE_MS)).pausedForMs;
    },
  };
}

interface SeenHosts {
  look(host: string, freshMs: number): Promise<HostState>;
  remember(state: HostState): HostState;
}

/** What the store said of hosts, a moment ago. */
function createSeenHosts(hosts: Hosts, nowMs: () => number): SeenHosts {
  const known = new Map<string, { readonly state: HostState; readonly atMs: number }>();
  const remember = (state: HostState): HostState => {
    if (known.size >= REMEMBERED) known.clear();
    known.set(state.host, { state, atMs: nowMs() });
    return state;
  };
  return {
    remember,
    async look(host, freshMs) {
      const seen = known.get(host);
      const ageMs = seen === undefined ? Infinity : nowMs() - seen.atMs;
      if (seen === undefined || ageMs > freshMs) return remember(await hosts.get(host));
      // The time that went by since is taken off its pause.
      return { ...seen.state, pausedForMs: Math.max(0, seen.state.pausedForMs - ageMs) };
    },
  };
}

async function tell(run: RunId, told: Told, { store, report }: HostWatchDeps): Promise<void> {
  const { before, after, change, because } = told;
  const { host, delayMs, pausedForMs, failures } = after;
  const probe = { host, change: 'breaker-half-open', because: 'its pause is over' };
  const wasProbed = before.breaker !== 'closed' && breakerNow(before) === 'half-open';
  await store.journal.append(run, [
    ...(wasProbed ? [{ kind: 'pace', url: null, detail: probe }] : []),
    { kind: 'pace', url: null, detail: { host, change, because, delayMs, wasMs: before.delayMs, pausedForMs } },
  ]);
  if (change !== 'breaker-opened' && change !== 'paused') return;
  const pause = `is left alone for ${Math.ceil(pausedForMs / 1000)} s`;
  const isFailing = change === 'breaker-opened';
  await report({
    run,
    kind: isFailing ? 'host-failing' : 'host-throttled',
    severity: 'warning',
    scope: 'host',
    target: host,
    message: isFailing
      ? `It failed ${failures} times in a row (${because}) and ${pause}`
      : `It asked us to slow down (${because}) and ${pause}`,
    details: { delayMs, pausedForMs, because },
  });
}

interface Observed {
  readonly observation: Observation;
  readonly because: string;
}

interface Told {
  readonly before: HostState;
  readonly after: HostState;
  readonly change: PaceChange;
  readonly because: string;
}

function isSame(a: HostState, b: HostState): boolean {
  return a.failures === b.failures && a.crawlDelayMs === b.crawlDelayMs;
}

function reasonOf(outcome: FetchOutcome): string {
  switch (outcome.kind) {
    case 'throttled':
      return outcome.retryAfterMs === null
        ? `status ${outcome.status}`
        : `status ${outcome.status}, Retry-After ${Math.round(outcome.retryAfterMs / 1000)} s`;
    case 'failed':
      return outcome.reason === '' ? outcome.code : outcome.reason;
    case 'fetched':
    case 'unchanged':
    case 'gone':
      return `it answered within ${Math.round(outcome.firstByteMs)} ms`;
    case 'redirected':
      return 'it answered';
  }
}
