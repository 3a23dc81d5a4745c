// Fifty seeds of the simulation, and the seeds that once found a fault. `npm run test:simulation` has ten thousand.

import { expect, test } from 'vitest';
import { readProject } from '../../support/project-files.ts';
import { PLANTED_FAULTS } from './planted-faults.table.ts';
import { describeFailure, runSeeds, type SeedResult } from './seed-process.ts';
import { FAILING_SEEDS } from './seeds.table.ts';

const SEEDS = 50;
/** Measured: 3300 a seed. Loops that poll, or a run that makes no progress, take many times that on every machine. */
const MAX_MEAN_STEPS = 5000;
const MAX_MEAN_VIRTUAL_MS = 60_000;
/** No bound of the test: only a synchronous loop that never ends is left for it. */
const LAST_RESORT_MS = 3_600_000;

test(
  `${SEEDS} simulations of crawls under faults lose, double and leave nothing`,
  async () => {
    const half = SEEDS / 2;
    const ranges = await Promise.all([1, 1 + half].map((first) => runSeeds({ first, count: half })));
    const results = ranges.flat();
    expect(results.map(({ seed }) => seed)).toEqual(Array.from({ length: SEEDS }, (_, i) => i + 1));
    expect(results.filter(({ problems }) => problems.length > 0).map(describeFailure)).toEqual([]);
    const mean = (of: (result: SeedResult) => number): number =>
      results.reduce((sum, result) => sum + of(result), 0) / SEEDS;
    expect(mean(({ steps }) => steps)).toBeLessThan(MAX_MEAN_STEPS);
    expect(mean(({ virtualMs }) => virtualMs)).toBeLessThan(MAX_MEAN_VIRTUAL_MS);
    expect(mean(({ calls }) => calls)).toBeGreaterThan(100);
  },
  LAST_RESORT_MS,
);

test('two simulations of one seed do the same at the same times', { timeout: LAST_RESORT_MS }, async () => {
  const twice = await Promise.all([1, 2].map(() => runSeeds({ first: 3, count: 4 })));
  const [once, again] = twice.map((results) =>
    results.map(({ hash, virtualMs, calls }) => ({ hash, virtualMs, calls })),
  );
  expect(again).toEqual(once);
  expect(new Set(once?.map(({ hash }) => hash)).size).toBe(4);
});

test('each planted fault has one place in the program', () => {
  const edits = PLANTED_FAULTS.flatMap((fault) => [fault, ...(fault.also ? [fault.also] : [])]);
  expect(edits.length).toBeGreaterThan(40);
  for (const { file, find } of edits) expect(readProject(`src/${file}`).split(find), find).toHaveLength(2);
});

test.each(FAILING_SEEDS)(
  'seed $seed finds nothing: $cause',
  async ({ seed }) => {
    const [result] = await runSeeds({ first: seed, count: 1 });
    expect(result?.problems).toEqual([]);
  },
  LAST_RESORT_MS,
);

test('the fault that takes back each fix is planted in the long suite', () => {
  const names = new Set(PLANTED_FAULTS.map(({ name }) => name));
  const planted = FAILING_SEEDS.flatMap((failing) => failing.planted ?? []);
  expect(planted.filter((name) => !names.has(name))).toEqual([]);
});
