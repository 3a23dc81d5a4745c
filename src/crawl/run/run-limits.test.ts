import { expect, test } from 'vitest';
import { OUTCOME_NAMES } from '../../core/model/outcome.ts';
import type { HostState } from '../../store/port/hosts.ts';
import type { RunCounts } from '../../store/port/runs.ts';
import { abortVerdict, createStallClock, type AbortLimits, type RunLimitProgress } from './run-limits.ts';

const LIMITS: AbortLimits = {
  maxFailureRate: 0.5,
  minutes: { value: 1440, setting: 'crawl.maxMinutes' },
  pages: { value: 1000, setting: 'crawl.maxPages' },
  maxStallMinutes: 5,
};
const HOUR_MS = 3_600_000;
const runOf = (counts: Partial<RunCounts>) => ({
  counts: {
    ...(Object.fromEntries([...OUTCOME_NAMES, 'found', 'bytes'].map((name) => [name, 0])) as RunCounts),
    requests: 20,
    downloads: 0,
    ...counts,
  },
});
const host = (more: Partial<HostState>): HostState => ({
  host: 'x.dev',
  delayMs: 1000,
  crawlDelayMs: null,
  pausedForMs: 0,
  breaker: 'closed',
  failures: 0,
  throttles: 0,
  ...more,
});

const verdictOf = (progress: Partial<RunLimitProgress>, limits: Partial<AbortLimits> = {}) =>
  abortVerdict(
    { run: runOf({}), workedMs: HOUR_MS, hosts: [], stalledMs: 0, isWaiting: false, ...progress },
    { ...LIMITS, ...limits },
  );

test('a run continues while most of its requests succeed', () => {
  expect(verdictOf({ run: runOf({ failed: 50, new: 50 }) })).toEqual({ abort: false });
  expect(verdictOf({ run: runOf({ failed: 24 }) })).toEqual({ abort: false });
});

test('it aborts when more than the allowed share failed, and says so', () => {
  expect(verdictOf({ run: runOf({ failed: 51, new: 40, 'not-found': 10 }) })).toEqual({
    abort: true,
    kind: 'many-failures',
    reason: 'aborted because 51 of the 101 URLs processed so far failed',
  });
});

test('it aborts when every host is down, but not while one responds', () => {
  const down = host({ breaker: 'open', failures: 12 });
  expect(verdictOf({ hosts: [down] })).toMatchObject({ kind: 'hosts-down' });
  expect(verdictOf({ hosts: [down, host({ host: 'y.dev' })] })).toEqual({ abort: false });
  const failing = [host({ breaker: 'open', failures: 11 })];
  expect(verdictOf({ run: runOf({ new: 1 }), hosts: failing })).toEqual({ abort: false });
});

test('a run probes a host that failed before it began (finding V33)', () => {
  const hosts = [host({ breaker: 'open', failures: 15 })];
  expect(verdictOf({ run: runOf({ requests: 0 }), hosts })).toEqual({ abort: false });
  expect(verdictOf({ run: runOf({ requests: 1 }), hosts })).toMatchObject({ kind: 'hosts-down' });
});

test('it aborts early when nothing could be fetched for a minute (finding T2.11)', () => {
  const hosts = [host({ breaker: 'open', failures: 6 })];
  const run = runOf({ failed: 1 });
  expect(verdictOf({ run, workedMs: 60_000, hosts })).toMatchObject({
    kind: 'hosts-down',
    reason: 'aborted because x.dev failed 6 times in a row',
  });
  expect(verdictOf({ run, workedMs: 59_000, hosts })).toEqual({ abort: false });
  expect(verdictOf({ run: runOf({ failed: 1, 'not-found': 1 }), hosts })).toEqual({ abort: false });
});

test('it ends at its time limit', () => {
  expect(verdictOf({}, { minutes: { value: 59, setting: 'maxMinutes of the source' } })).toMatchObject({
    kind: 'time-limit',
  });
  expect(verdictOf({}, { minutes: { value: 61, setting: 'maxMinutes of the source' } })).toEqual({ abort: false });
});

test('it ends at the default limits, and names the setting (finding N29)', () => {
  expect(verdictOf({ run: runOf({ new: 999 }) })).toEqual({ abort: false });
  expect(verdictOf({ run: runOf({ new: 600, unchanged: 400 }) })).toMatchObject({
    kind: 'page-limit',
    reason: 'ended at its limit of 1000 pages (crawl.maxPages)',
  });
  expect(verdictOf({}, { minutes: { value: 59, setting: 'crawl.maxMinutes' } })).toMatchObject({
    reason: 'ended at its time limit of 59 minutes (crawl.maxMinutes)',
  });
});

const MINUTE_MS = 60_000;

test('it ends without progress while a host throttles or fails, or only retries are left', () => {
  const throttling = host({ throttles: 20 });
  expect(verdictOf({ hosts: [throttling], stalledMs: 4 * MINUTE_MS })).toEqual({ abort: false });
  expect(verdictOf({ hosts: [throttling], stalledMs: 6 * MINUTE_MS })).toMatchObject({
    kind: 'no-progress',
    reason: 'ended after 5 minutes without progress (crawl.maxStallMinutes): x.dev throttles requests',
  });
  const failing = host({ breaker: 'open' });
  expect(verdictOf({ hosts: [failing], stalledMs: 6 * MINUTE_MS })).toMatchObject({ kind: 'no-progress' });
  expect(verdictOf({ isWaiting: true, stalledMs: 6 * MINUTE_MS })).toMatchObject({ kind: 'no-progress' });
});

test('a run that waits for its turn at a healthy host is not stalled', () => {
  const slow = host({ crawlDelayMs: 600_000, throttles: 10 });
  expect(verdictOf({ hosts: [slow], stalledMs: 60 * MINUTE_MS })).toEqual({ abort: false });
});

test('time without progress is counted while the coordinator is awake', () => {
  let now = 0;
  const stalledFor = createStallClock(() => now);
  const after = (ms: number, counts: Partial<RunCounts>): number => {
    now += ms;
    return stalledFor(runOf(counts));
  };
  expect(after(100, { found: 5 })).toBe(0);
  expect(after(1000, { found: 9, bytes: 7 })).toBe(1000);
  expect(after(3_600_000, { found: 9 })).toBe(6000);
  expect(after(1000, { found: 9, failed: 1 })).toBe(0);
});

test('requests that settle nothing are no progress, as those of a throttled run (finding D5)', () => {
  let now = 0;
  const stalledFor = createStallClock(() => now);
  const stalls = Array.from({ length: 900 }, (_, n) => {
    now += 4000;
    return stalledFor(runOf({ found: 5, requests: n, downloads: n, bytes: n }));
  });
  expect(stalls.at(-1)).toBe(899 * 4000);
});
