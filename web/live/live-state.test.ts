import { expect, test } from 'vitest';
import type { EventView, RunView } from '../api/responses.ts';
import { INITIAL_STATE, settledPerSecond, applyEvents, applyProgress, withEarlier } from './live-state.ts';

const view = { run: 1, source: 'docs', counts: { found: 10, queued: 4, bytes: 5 } } as unknown as RunView;

function event(seq: number, ms?: number): EventView {
  const detail = ms === undefined ? {} : { ms };
  return { seq, at: '2026-11-15T00:00:00.000Z', run: 1, kind: 'new', url: null, detail };
}

test('an event that arrives twice is counted once', () => {
  const initial = applyProgress(INITIAL_STATE, view, 0);
  const once = applyEvents(initial, [event(1), event(2, 30)]);
  const again = applyEvents(once, [event(1), event(2, 30), event(3)]);
  expect(again.received).toBe(3);
  expect(again.seq).toBe(3);
  expect(again.runs.get(1)?.events.map(({ seq }) => seq)).toEqual([3, 2, 1]);
  expect(again.runs.get(1)?.latencies).toHaveLength(1);
});

test('events of an unknown run advance the sequence number and are not stored', () => {
  const state = applyEvents(INITIAL_STATE, [event(7)]);
  expect(state.seq).toBe(7);
  expect(state.runs.size).toBe(0);
});

test('charts begin with what was stored before the page was opened (finding T23)', () => {
  const at = (seconds: number): string => new Date(seconds * 1000).toISOString();
  const stored = [1, 2, 9].map((second) => ({ at: at(second), found: 10, queued: 10 - second, bytes: 0 }));
  const live = { samples: [{ at: 5000, settled: 5, bytes: 0 }], latencies: [{ at: 5000, ms: 40 }] };
  const events = [
    { ...event(3, 50), at: at(6) },
    { ...event(2, 20), at: at(2) },
    { ...event(1), at: at(1) },
  ];
  const { samples, latencies } = withEarlier(live, stored as never, events);
  expect(samples.map(({ settled }) => settled)).toEqual([1, 2, 5]);
  expect(latencies.map(({ ms }) => ms)).toEqual([20, 40]);
});

test('the rate is measured over the last seconds only', () => {
  const samples = [
    { at: 0, settled: 0, bytes: 0 },
    { at: 60_000, settled: 6000, bytes: 0 },
    { at: 65_000, settled: 6050, bytes: 0 },
    { at: 70_000, settled: 6100, bytes: 0 },
  ];
  expect(settledPerSecond(samples)).toBe(10);
  expect(settledPerSecond([])).toBe(0);
});

test('a run that has ended is no longer live', () => {
  const initial = applyProgress(INITIAL_STATE, { ...view, state: 'running', endedAt: null }, 0);
  const end = { ...event(9), kind: 'run-ended', detail: { state: 'partial', reason: 'some failed' } };
  const { view: ended } = applyEvents(initial, [event(8), end]).runs.get(1)!;
  expect(ended).toMatchObject({ state: 'partial', reason: 'some failed', endedAt: end.at });
});
