import { expect, test } from 'vitest';
import { OUTCOME_NAMES } from '../../core/model/outcome.ts';
import type { HostState, RunCounts } from '../../store/port.ts';
import { giveUpVerdict } from '../../operate/give-up.ts';

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

test('a run goes on while most of what it asks succeeds', () => {
  expect(giveUpVerdict(runOf({ failed: 50, new: 50 }), [], LIMITS, NOW)).toEqual({ giveUp: false });
  expect(giveUpVerdict(runOf({ failed: 24 }), [], LIMITS, NOW)).toEqual({ giveUp: false });
});

test('it gives up when more than the allowed share failed, and says so', () => {
  expect(giveUpVerdict(runOf({ failed: 51, new: 40, gone: 10 }), [], LIMITS, NOW)).toEqual({
    giveUp: true,
    kind: 'many-failures',
    reason: 'it stopped itself, since 51 of the 101 URLs asked so far failed',
  });
});

test('it gives up when every host is down, and not while one answers', () => {
  const down = host({ breaker: 'open', failures: 12 });
  expect(giveUpVerdict(runOf({}), [down], LIMITS, NOW)).toMatchObject({ kind: 'hosts-down' });
  expect(giveUpVerdict(runOf({}), [down, host({ host: 'y.dev' })], LIMITS, NOW)).toEqual({ giveUp: false });
  expect(giveUpVerdict(runOf({}), [host({ breaker: 'open', failures: 11 })], LIMITS, NOW)).toEqual({ giveUp: false });
});

test('it ends when its time is over', () => {
  expect(giveUpVerdict(runOf({}), [], { ...LIMITS, maxMinutes: 59 }, NOW)).toMatchObject({ kind: 'time-limit' });
  expect(giveUpVerdict(runOf({}), [], { ...LIMITS, maxMinutes: 61 }, NOW)).toEqual({ giveUp: false });
});
