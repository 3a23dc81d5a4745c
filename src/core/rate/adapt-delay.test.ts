import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HostState } from '../../store/port.ts';
import { breakerNow, PACE_LIMITS, paceAfter, paceChange, type HostPace, type Observation } from './adapt-delay.ts';

const fresh: HostPace = {
  host: 'x.dev',
  delayMs: 1000,
  crawlDelayMs: null,
  pausedForMs: 0,
  breaker: 'closed',
  failures: 0,
};
const quick: Observation = { kind: 'answered', firstByteMs: 50 };
const failed: Observation = { kind: 'failed' };
const after = (state: HostPace, ...seen: readonly Observation[]): HostPace =>
  seen.reduce((so, observation) => paceAfter(so, observation, PACE_LIMITS), state);
const times = (count: number, observation: Observation): Observation[] =>
  Array.from({ length: count }, () => observation);

const named = (state: HostPace, observation: Observation): unknown => paceChange(state, after(state, observation));

test('it is the state that the store keeps', () => {
  const stored: HostState = fresh;
  const decided: HostState = paceAfter(stored, quick, PACE_LIMITS);
  expect(decided.host).toBe('x.dev');
});

test('a host that answers quickly is asked up to five times a second, and not before three answers', () => {
  expect(after(fresh, ...times(2, quick)).delayMs).toBeGreaterThan(200);
  expect(after(fresh, ...times(3, quick)).delayMs).toBe(200);
  expect(after(fresh, ...times(200, quick)).delayMs).toBe(200);
});

test('after a failure it takes ten quick answers to be asked as fast again', () => {
  const troubled = after({ ...fresh, delayMs: 200 }, failed);
  expect(after(troubled, ...times(9, quick)).delayMs).toBeGreaterThan(200);
  expect(after(troubled, ...times(10, quick)).delayMs).toBe(200);
});

test('an answer that is neither quick nor slow changes nothing', () => {
  expect(after(fresh, { kind: 'answered', firstByteMs: 1000 })).toEqual(fresh);
  expect(after(fresh, { kind: 'answered', firstByteMs: null })).toEqual(fresh);
});

test('a slow answer slows us down, to at least its own time', () => {
  expect(after(fresh, { kind: 'answered', firstByteMs: 2500 }).delayMs).toBe(2500);
  expect(after({ ...fresh, delayMs: 4000 }, { kind: 'answered', firstByteMs: 2500 }).delayMs).toBe(6000);
});

test('a failure doubles the pause, from a fast pace at once to twice the start', () => {
  expect(after({ ...fresh, delayMs: 200 }, failed).delayMs).toBe(2000);
  expect(after(fresh, ...times(4, failed))).toMatchObject({ delayMs: 16_000, failures: 4, breaker: 'closed' });
});

test('five failures in a row open the breaker for a minute', () => {
  const open = after(fresh, ...times(5, failed));
  expect(open).toMatchObject({ breaker: 'open', pausedForMs: 60_000, failures: 5 });
  expect(breakerNow(open)).toBe('open');
  expect(after(fresh, ...times(4, failed), quick, ...times(4, failed)).breaker).toBe('closed');
});

test('when the minute is over one request tries, and decides', () => {
  const open = { ...after(fresh, ...times(5, failed)), pausedForMs: 0 };
  expect(breakerNow(open)).toBe('half-open');
  expect(after(open, quick)).toMatchObject({ breaker: 'closed', failures: 0, delayMs: 1000 });
  expect(after(open, failed)).toMatchObject({ breaker: 'open', pausedForMs: 60_000 });
});

test('answers to earlier questions do not touch an open breaker', () => {
  const open = { ...after(fresh, ...times(5, failed)), pausedForMs: 40_000 };
  expect(after(open, quick)).toEqual(open);
  expect(after(open, failed)).toEqual({ ...open, failures: 6 });
});

test('Retry-After is a pause, and no failure', () => {
  expect(after(fresh, { kind: 'throttled', retryAfterMs: 120_000 })).toMatchObject({
    pausedForMs: 120_000,
    delayMs: 2000,
    failures: 0,
    breaker: 'closed',
  });
  expect(after(fresh, { kind: 'throttled', retryAfterMs: null }).pausedForMs).toBe(30_000);
  expect(after({ ...fresh, pausedForMs: 90_000 }, { kind: 'throttled', retryAfterMs: 5000 }).pausedForMs).toBe(90_000);
});

test('Crawl-delay wins over every ramp and over the longest back-off', () => {
  const polite = after(fresh, { kind: 'crawl-delay', crawlDelayMs: 40_000 });
  expect(polite).toMatchObject({ crawlDelayMs: 40_000, delayMs: 40_000 });
  expect(after(polite, ...times(100, quick)).delayMs).toBe(40_000);
  expect(after(fresh, { kind: 'crawl-delay', crawlDelayMs: 10 }, ...times(100, quick)).delayMs).toBe(200);
});

test('each step that matters has a name', () => {
  const open = { ...fresh, breaker: 'open', pausedForMs: 0, failures: 5 } as const;
  expect(named(fresh, quick)).toBe('faster');
  expect(named(fresh, failed)).toBe('slower');
  expect(named(fresh, { kind: 'throttled', retryAfterMs: 1 })).toBe('paused');
  expect(named({ ...fresh, failures: 4 }, failed)).toBe('breaker-opened');
  expect(named(open, failed)).toBe('breaker-opened');
  expect(named(open, quick)).toBe('breaker-closed');
  expect(named({ ...fresh, delayMs: 200 }, quick)).toBeNull();
});

const observations = fc.oneof(
  fc.record({ kind: fc.constant('answered' as const), firstByteMs: fc.option(fc.nat(60_000)) }),
  fc.record({ kind: fc.constant('failed' as const) }),
  fc.record({ kind: fc.constant('throttled' as const), retryAfterMs: fc.option(fc.nat(3_600_000)) }),
  fc.record({ kind: fc.constant('crawl-delay' as const), crawlDelayMs: fc.option(fc.nat(300_000)) }),
);

test('whatever happens, the pace stays within the limits', () => {
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
