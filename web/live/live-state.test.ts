import { expect, test } from 'vitest';
import type { EventView, RunView } from '../api/responses.ts';
import { NOTHING_YET, rateOf, withEvents, withProgress } from './live-state.ts';

const view = { run: 1, source: 'docs', counts: { found: 10, queued: 4, bytes: 5 } } as unknown as RunView;

function event(seq: number, ms?: number): EventView {
  const detail = ms === undefined ? {} : { ms };
  return { seq, at: '2026-11-15T00:00:00.000Z', run: 1, kind: 'new', url: null, detail };
}

test('an event that comes twice is counted once', () => {
  const begun = withProgress(NOTHING_YET, view, 0);
  const once = withEvents(begun, [event(1), event(2, 30)]);
  const again = withEvents(once, [event(1), event(2, 30), event(3)]);
  expect(again.received).toBe(3);
  expect(again.seq).toBe(3);
  expect(again.runs.get(1)?.events.map(({ seq }) => seq)).toEqual([3, 2, 1]);
  expect(again.runs.get(1)?.latencies).toHaveLength(1);
});

test('events of a run that nobody has told of move the number and are not kept', () => {
  const state = withEvents(NOTHING_YET, [event(7)]);
  expect(state.seq).toBe(7);
  expect(state.runs.size).toBe(0);
});

test('the rate is measured over the last seconds only', () => {
  const samples = [
    { at: 0, settled: 0, bytes: 0 },
    { at: 60_000, settled: 6000, bytes: 0 },
    { at: 65_000, settled: 6050, bytes: 0 },
    { at: 70_000, settled: 6100, bytes: 0 },
  ];
  expect(rateOf(samples)).toBe(10);
  expect(rateOf([])).toBe(0);
});

test('a run that ended is live no more', () => {
  const begun = withProgress(NOTHING_YET, { ...view, state: 'running', endedAt: null }, 0);
  const end = { ...event(9), kind: 'run-ended', detail: { state: 'partial', reason: 'some failed' } };
  const { view: ended } = withEvents(begun, [event(8), end]).runs.get(1)!;
  expect(ended).toMatchObject({ state: 'partial', reason: 'some failed', endedAt: end.at });
});
