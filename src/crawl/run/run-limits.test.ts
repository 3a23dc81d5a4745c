import { expect, test } from 'vitest';
import { OUTCOME_NAMES } from '../../core/model/outcome.ts';
import type { HostState, RunCounts } from '../../store/port.ts';
import { abortVerdict } from './run-limits.ts';

const LIMITS = { maxFailureRate: 0.5, maxMinutes: null };
const NOW = new Date('2026-01-01T01:00:00Z');
const runOf = (counts: Partial<RunCounts>) => ({
  counts: {
    ...(Object.fromEntries([...OUTCOME_NAMES, 'found', 'bytes'].map((name) => [name, 0])) as RunCounts),
    ...counts,
  },
  startedAt: new Date('2026-01-01T00:00:00Z'),
});
const host = (more: Partial<HostState>): HostState => ({
  host: 'x.dev',
  delayMs: 1000,
  crawlDelayMs: null,
  pausedForMs: 0,
  breaker: 'closed',
  failures: 0,
  ...more,
});

test('a run continues while most of its requests succeed', () => {
  expect(abortVerdict(runOf({ failed: 50, new: 50 }), [], LIMITS, NOW)).toEqual({ abort: false });
  expect(abortVerdict(runOf({ failed: 24 }), [], LIMITS, NOW)).toEqual({ abort: false });
});

test('it aborts when more than the allowed share failed, and says so', () => {
  expect(abortVerdict(runOf({ failed: 51, new: 40, gone: 10 }), [], LIMITS, NOW)).toEqual({
    abort: true,
    kind: 'many-failures',
    reason: 'aborted because 51 of the 101 URLs processed so far failed',
  });
});

test('it aborts when every host is down, but not while one responds', () => {
  const down = host({ breaker: 'open', failures: 12 });
  expect(abortVerdict(runOf({}), [down], LIMITS, NOW)).toMatchObject({ kind: 'hosts-down' });
  expect(abortVerdict(runOf({}), [down, host({ host: 'y.dev' })], LIMITS, NOW)).toEqual({ abort: false });
  expect(abortVerdict(runOf({}), [host({ breaker: 'open', failures: 11 })], LIMITS, NOW)).toEqual({ abort: false });
});

test('it ends at its time limit', () => {
  expect(abortVerdict(runOf({}), [], { ...LIMITS, maxMinutes: 59 }, NOW)).toMatchObject({ kind: 'time-limit' });
  expect(abortVerdict(runOf({}), [], { ...LIMITS, maxMinutes: 61 }, NOW)).toEqual({ abort: false });
});
