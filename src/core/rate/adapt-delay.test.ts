import fc from 'fast-check';
import { expect, test } from 'vitest';
import { adaptDelay, RATE_LIMITS, rateChange, toObservation, type HostRate, type Observation } from './adapt-delay.ts';
import { currentBreaker } from './circuit-breaker.ts';
import type { FetchOutcome } from '../../fetch/port.ts';
import type { HostState } from '../../store/port/hosts.ts';

const fresh: HostRate = {
  host: 'x.dev',
  delayMs: 1000,
  crawlDelayMs: null,
  pausedForMs: 0,
  breaker: 'closed',
  failures: 0,
  throttles: 0,
};
const quick: Observation = { kind: 'answered', firstByteMs: 50 };
const failed: Observation = { kind: 'failed' };
const after = (state: HostRate, ...seen: readonly Observation[]): HostRate =>
  seen.reduce((so, observation) => adaptDelay(so, observation, RATE_LIMITS), state);
const times = (count: number, observation: Observation): Observation[] =>
  Array.from({ length: count }, () => observation);

const change = (state: HostRate, observation: Observation): unknown => rateChange(state, after(state, observation));

test('every observation leaves the rate of the same host, with all that the store saves', () => {
  const observations: readonly Observation[] = [
    quick,
    failed,
    { kind: 'throttled', retryAfterMs: 5000, isRetry: false },
    { kind: 'crawl-delay', crawlDelayMs: 3000 },
    { kind: 'visited' },
  ];
  for (const observation of observations) {
    const decided: HostState = after(fresh, observation);
    expect(Object.keys(decided).toSorted()).toEqual(Object.keys(fresh).toSorted());
    expect(decided.host).toBe('x.dev');
  }
});

test('a host that responds quickly gets up to five requests per second, after three responses', () => {
  expect(after(fresh, ...times(2, quick)).delayMs).toBeGreaterThan(200);
  expect(after(fresh, ...times(3, quick)).delayMs).toBe(200);
  expect(after(fresh, ...times(200, quick)).delayMs).toBe(200);
});

test('after a failure it takes ten quick responses to reach full speed again', () => {
  const troubled = after({ ...fresh, delayMs: 200 }, failed);
  expect(after(troubled, ...times(9, quick)).delayMs).toBeGreaterThan(200);
  expect(after(troubled, ...times(10, quick)).delayMs).toBe(200);
});

test('a response that is neither quick nor slow changes nothing', () => {
  expect(after(fresh, { kind: 'answered', firstByteMs: 1000 })).toEqual(fresh);
  expect(after(fresh, { kind: 'answered', firstByteMs: null })).toEqual(fresh);
});

test('a slow response increases the delay, to at least its own time', () => {
  expect(after(fresh, { kind: 'answered', firstByteMs: 2500 }).delayMs).toBe(2500);
  expect(after({ ...fresh, delayMs: 4000 }, { kind: 'answered', firstByteMs: 2500 }).delayMs).toBe(6000);
});

test('a failure doubles the delay, to at least twice the start delay', () => {
  expect(after({ ...fresh, delayMs: 200 }, failed).delayMs).toBe(2000);
  expect(after(fresh, ...times(4, failed))).toMatchObject({ delayMs: 16_000, failures: 4, breaker: 'closed' });
});

test('five consecutive failures open the breaker for a minute', () => {
  const open = after(fresh, ...times(5, failed));
  expect(open).toMatchObject({ breaker: 'open', pausedForMs: 60_000, failures: 5 });
  expect(currentBreaker(open)).toBe('open');
  expect(after(fresh, ...times(4, failed), quick, ...times(4, failed)).breaker).toBe('closed');
});

test('after the minute one trial request decides', () => {
  const open = { ...after(fresh, ...times(5, failed)), pausedForMs: 0 };
  expect(currentBreaker(open)).toBe('half-open');
  expect(after(open, quick)).toMatchObject({ breaker: 'closed', failures: 0, delayMs: 1000 });
  expect(after(open, failed)).toMatchObject({ breaker: 'open', pausedForMs: 60_000 });
});

test('responses to earlier requests do not affect an open breaker', () => {
  const open = { ...after(fresh, ...times(5, failed)), pausedForMs: 40_000 };
  expect(after(open, quick)).toEqual(open);
  expect(after(open, failed)).toEqual(open);
});

const throttled = (retryAfterMs: number | null, isRetry = false): Observation => ({
  kind: 'throttled',
  retryAfterMs,
  isRetry,
});

test('Retry-After pauses the host once two URLs were throttled, and does not count as a failure', () => {
  expect(after(fresh, throttled(120_000), throttled(120_000))).toMatchObject({
    pausedForMs: 120_000,
    delayMs: 2000,
    failures: 0,
    breaker: 'closed',
  });
  expect(after(fresh, throttled(null), throttled(null)).pausedForMs).toBe(30_000);
  expect(after({ ...fresh, pausedForMs: 90_000 }, throttled(5000), throttled(5000)).pausedForMs).toBe(90_000);
});

test('a single URL that is always throttled hardly slows its host down (finding B9)', () => {
  expect(after(fresh, throttled(1000))).toMatchObject({ pausedForMs: 1000, delayMs: 1000 });
  expect(after(fresh, throttled(120_000))).toMatchObject({ pausedForMs: 30_000, delayMs: 1000 });
  expect(after(fresh, throttled(null), ...times(20, throttled(120_000, true)))).toMatchObject({
    pausedForMs: 1000,
    delayMs: 1000,
  });
  expect(after(fresh, throttled(500)).pausedForMs).toBe(500);
});

test('a host slows down if every other URL is throttled, not if one is now and then', () => {
  expect(after(fresh, throttled(null), quick, throttled(null)).pausedForMs).toBe(30_000);
  expect(after(fresh, throttled(null), ...times(10, quick), throttled(null)).pausedForMs).toBe(1000);
});

test('Crawl-delay overrides the speed-up and the maximum delay', () => {
  const polite = after(fresh, { kind: 'crawl-delay', crawlDelayMs: 40_000 });
  expect(polite).toMatchObject({ crawlDelayMs: 40_000, delayMs: 40_000 });
  expect(after(polite, ...times(100, quick)).delayMs).toBe(40_000);
  expect(after(fresh, { kind: 'crawl-delay', crawlDelayMs: 10 }, ...times(100, quick)).delayMs).toBe(200);
});

test('each relevant change has a name', () => {
  const open = { ...fresh, breaker: 'open', pausedForMs: 0, failures: 5 } as const;
  expect(change(fresh, quick)).toBe('faster');
  expect(change(fresh, failed)).toBe('slower');
  expect(change(fresh, throttled(1))).toBe('paused');
  expect(change({ ...fresh, failures: 4 }, failed)).toBe('breaker-opened');
  expect(change(open, failed)).toBe('breaker-opened');
  expect(change(open, quick)).toBe('breaker-closed');
  expect(change({ ...fresh, delayMs: 200 }, quick)).toBeNull();
});

const observations = fc.oneof(
  fc.record({ kind: fc.constant('answered' as const), firstByteMs: fc.option(fc.nat(60_000)) }),
  fc.record({ kind: fc.constant('failed' as const) }),
  fc.record({
    kind: fc.constant('throttled' as const),
    retryAfterMs: fc.option(fc.nat(3_600_000)),
    isRetry: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('crawl-delay' as const), crawlDelayMs: fc.option(fc.nat(300_000)) }),
);

test('the rate always stays within the limits', () => {
  fc.assert(
    fc.property(fc.array(observations, { maxLength: 60 }), (seen) => {
      const { delayMs, crawlDelayMs, pausedForMs, breaker, failures } = after(fresh, ...seen);
      expect(delayMs).toBeGreaterThanOrEqual(Math.max(200, crawlDelayMs ?? 0));
      expect(delayMs).toBeLessThanOrEqual(Math.max(30_000, crawlDelayMs ?? 0));
      expect(Number.isInteger(delayMs)).toBe(true);
      expect(pausedForMs).toBeGreaterThanOrEqual(0);
      if (breaker === 'closed') expect(failures).toBeLessThan(5);
    }),
  );
});

const failure = { kind: 'failed', code: 'fetch.failed', reason: 'x' } as const;

test.each<[string, FetchOutcome, ReturnType<typeof toObservation>]>([
  ['a missing page', { kind: 'not-found', status: 404, firstByteMs: 9 }, { kind: 'answered', firstByteMs: 9 }],
  [
    'a redirect',
    { kind: 'redirected', status: 301, to: null, permanent: true },
    { kind: 'answered', firstByteMs: null },
  ],
  [
    'a 429',
    { kind: 'throttled', status: 429, retryAfterMs: 5 },
    { kind: 'throttled', retryAfterMs: 5, isRetry: false },
  ],
  ['a server error', { ...failure, status: 500, retryable: true }, { kind: 'failed' }],
  ['no response', { ...failure, status: null, retryable: true }, { kind: 'failed' }],
  ['a 403', { ...failure, status: 403, retryable: false }, { kind: 'answered', firstByteMs: null }],
  ['no free connection on this machine', { ...failure, code: 'fetch.exhausted', status: null, retryable: true }, null],
  ['a blocked address', { ...failure, status: null, retryable: false }, null],
])('%s', (_, outcome, expected) => {
  expect(toObservation(outcome, false)).toEqual(expected);
});
