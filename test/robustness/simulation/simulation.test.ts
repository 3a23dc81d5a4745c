// Fifty seeds of the simulation, and the seeds that once found a fault. `npm run test:simulation` has ten thousand.

import { expect, test } from 'vitest';
import { readProject } from '../../support/project-files.ts';
import { PLANTED_FAULTS } from './planted-faults.table.ts';
import { describeFailure, runSeeds } from './seed-process.ts';
import { FAILING_SEEDS } from './seeds.table.ts';

const SEEDS = 50;

test(`${SEEDS} simulations of crawls under faults lose, double and leave nothing`, async () => {
  const half = SEEDS / 2;
  const results = await Promise.all([1, 1 + half].map((first) => runSeeds({ first, count: half })));
  expect(results.flat()).toHaveLength(SEEDS);
  expect(
    results
      .flat()
      .filter(({ problems }) => problems.length > 0)
      .map(describeFailure),
  ).toEqual([]);
});

test('two simulations of one seed do the same at the same times', async () => {
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
  'seed $seed finds that $planted, and nothing without it',
  async ({ seed, planted, problem }) => {
    const [found] = await runSeeds({ first: seed, count: 1, plantedFault: planted });
    expect(found?.problems.join('\n')).toContain(problem);
    const [fixed] = await runSeeds({ first: seed, count: 1 });
    expect(fixed?.problems).toEqual([]);
  },
);
