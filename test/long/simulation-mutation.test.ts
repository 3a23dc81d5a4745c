// Each planted fault alone, in up to 500 seeds, or as many as SIMULATION_PLANTED_SEEDS says: how many of them the simulation finds, and with
// which seed. The seed of the table comes first. Then in rounds, so that a suite that is ended early has looked for all of them; it goes on where
// it ended at the same commit.

import { expect, test } from 'vitest';
import { PLANTED_FAULTS } from '../robustness/simulation/planted-faults.table.ts';
import { runSeeds } from '../robustness/simulation/seed-process.ts';
import { readResultOfCommit, writeResult } from '../support/write-result.ts';

const SEEDS = Number(process.env['SIMULATION_PLANTED_SEEDS'] ?? 500);
const ROUNDS = [10, 60, 200, 500, SEEDS].filter((seeds) => seeds <= SEEDS);
const MIN_FOUND_SHARE = 0.9;
const HOURS = 24;

interface Search {
  readonly fault: string;
  /** Seeds that were simulated, from 1; 0 if only that of the table was. */
  readonly seeds: number;
  /** Null if no seed found it. */
  readonly foundBySeed: number | null;
  readonly problem: string | null;
  readonly cpuMs: number;
  readonly unseen?: string;
}

async function searchOn(before: Search, seeds: number): Promise<Search> {
  const after = await searchIn(before, before.seeds + 1, seeds - before.seeds);
  return { ...after, seeds: after.foundBySeed ?? seeds };
}

async function searchIn(before: Search, first: number, count: number): Promise<Search> {
  const results = await runSeeds({ first, count, untilFound: true, plantedFault: before.fault });
  const found = results.find(({ problems }) => problems.length > 0);
  return {
    ...before,
    foundBySeed: found?.seed ?? null,
    problem: found?.problems[0]?.split('\n')[0] ?? null,
    cpuMs: before.cpuMs + results.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
  };
}

function save(searches: ReadonlyMap<string, Search>): void {
  const all = [...searches.values()];
  const found = all.filter(({ foundBySeed }) => foundBySeed !== null).length;
  writeResult('simulation-mutation', { maxSeeds: SEEDS, faults: all.length, found, searches: all });
}

test(
  'nine of ten planted faults are found, and the others are explained',
  async () => {
    const { searches: known = [] } = readResultOfCommit('simulation-mutation') as { readonly searches?: Search[] };
    const before = new Map(known.map((search) => [search.fault, search]));
    const searches = new Map(
      PLANTED_FAULTS.map(({ name, unseen }): [string, Search] => {
        const unsearched = { fault: name, seeds: 0, foundBySeed: null, problem: null, cpuMs: 0 };
        return [name, before.get(name) ?? { ...unsearched, ...(unseen === undefined ? {} : { unseen }) }];
      }),
    );
    for (const { name, seed } of PLANTED_FAULTS) {
      const search = searches.get(name)!;
      if (seed === undefined || search.seeds > 0 || search.foundBySeed !== null) continue;
      searches.set(name, await searchIn(search, seed, 1));
      save(searches);
    }
    for (const seeds of ROUNDS)
      for (const [name, search] of searches) {
        if (search.foundBySeed !== null || search.seeds >= seeds) continue;
        searches.set(name, await searchOn(search, seeds));
        save(searches);
      }
    const found = [...searches.values()].filter(({ foundBySeed }) => foundBySeed !== null);
    const missed = [...searches.values()].filter(({ foundBySeed }) => foundBySeed === null);
    expect(found.length).toBeGreaterThanOrEqual(MIN_FOUND_SHARE * searches.size);
    expect(missed.filter(({ unseen }) => unseen === undefined)).toEqual([]);
    // An explanation of a fault that is found is wrong.
    expect(found.filter(({ unseen }) => unseen !== undefined)).toEqual([]);
  },
  HOURS * 3_600_000,
);
