import { expect, test } from 'vitest';
import type { RunView } from '../../api/responses.ts';
import { niceCeiling } from '../../components/bar-plot.tsx';
import { barsOfRuns } from './run-series.ts';

const COUNTS = {
  found: 20,
  queued: 0,
  new: 4,
  changed: 2,
  unchanged: 10,
  missing: 0,
  removed: 1,
  'not-found': 0,
  moved: 0,
  skipped: 0,
  failed: 3,
  dropped: 0,
  excluded: 7,
  bytes: 1000,
};

const METRICS = {
  visited: 20,
  downloaded: 16,
  found: 20,
  saved: 16,
  errors: 3,
  queueSize: 0,
  requestsPerSec: 2,
  downloadsPerSec: 1.6,
  errorRatePerMin: 18,
  bytesPerSec: 100,
};

function runAt(run: number, startedAt: string, endedAt: string | null): RunView {
  return {
    run,
    source: 'guide',
    startUrl: 'https://docs.example.dev/',
    state: 'completed',
    mode: 'full',
    reason: null,
    createdAt: startedAt,
    startedAt,
    endedAt,
    lastActivityAt: endedAt,
    events: 12,
    lastEventAt: endedAt,
    etaSeconds: null,
    counts: COUNTS,
    metrics: METRICS,
  };
}

const RUNS = [
  runAt(4, '2026-03-02T12:01:00.000Z', null),
  runAt(3, '2026-03-02T12:00:00.000Z', '2026-03-02T12:00:10.000Z'),
  runAt(2, '2026-03-01T12:30:00.000Z', '2026-03-01T12:30:30.000Z'),
  runAt(1, '2026-03-01T12:00:00.000Z', '2026-03-01T12:00:10.000Z'),
];

test('each ended run is a bar, oldest first (finding T5.4)', () => {
  const bars = barsOfRuns(RUNS, 'run');
  expect(bars.map(({ label }) => label)).toEqual(['run 1', 'run 2', 'run 3']);
  expect(bars[0]?.values).toEqual({ new: 4, changed: 2, unchanged: 10, removed: 1, failed: 3, bytes: 1000, rate: 2 });
});

test('a day adds up its runs, and its pace is that of their whole time', () => {
  const [first, second] = barsOfRuns(RUNS, 'day');
  expect(first).toMatchObject({ label: '1 Mar', values: { new: 8, failed: 6, bytes: 2000, rate: 1 } });
  expect(second).toMatchObject({ label: '2 Mar', values: { new: 4 } });
});

test.each([
  [0, 1],
  [0.3, 0.5],
  [7, 10],
  [21, 50],
  [100, 100],
])('the axis of %f ends at %f', (value, end) => {
  expect(niceCeiling(value)).toBeCloseTo(end);
});
