// Seeds that found a fault, which is fixed: they are simulated forever.

export interface FailingSeed {
  readonly seed: number;
  readonly cause: string;
  /**
   * The fault of planted-faults.table.ts that takes the fix back, and a part of the problem that the seed then reports. Null for a fault of the
   * simulation.
   */
  readonly planted: { readonly fault: string; readonly problem: string } | null;
}

export const FAILING_SEEDS: readonly FailingSeed[] = [
  {
    seed: 294,
    cause: 'The answer of a read of discovery was lost, and discovery went on as if the site had no list of its pages.',
    planted: { fault: 'levels are skipped after a lost answer', problem: 'pages are missing: /p10' },
  },
  {
    seed: 60,
    cause: 'A page was excluded as too deep on a longer path before a page that was retried showed a shorter one.',
    planted: { fault: 'a shorter path comes too late', problem: 'pages are missing: /p10' },
  },
  {
    seed: 189,
    cause: 'A page fetched on a longer path kept its depth, so its links stayed excluded when a shorter path came.',
    planted: { fault: 'the links of a page stay those of its longer path', problem: 'pages are missing: /p8' },
  },
  {
    seed: 179,
    cause: 'A process went on with runs that it remembered after the database had gone back to before they existed.',
    planted: { fault: 'what a process remembers outlives a rollback', problem: 'has not ended' },
  },
  {
    seed: 683,
    cause: `A process stopped between the commit of a settlement and its answer. The ledger of fencing tokens counted answers instead of
      commits, so the settlement seemed to come after that of the next run.`,
    planted: null,
  },
  {
    seed: 566,
    cause: `The user of the simulation had paused a run after the copy that the database went back to, so its store refused to start the next run, as
      that of a worker does. It has to be opened again as well.`,
    planted: null,
  },
  {
    seed: 1054,
    cause: `An indexer stopped after it had read a page. Another one indexed it, the page changed and was queued again, and its revision began again with
      the number that the first had read: that one published the old text in place of the new.`,
    planted: {
      fault: 'a page that is queued again is taken for the one that was read',
      problem: 'a search does not find /p0',
    },
  },
  {
    seed: 1364,
    cause:
      'After the database had gone back, an indexer went on with a merge that it remembered, under an id that had been given out again.',
    planted: { fault: 'an index is written for a history that is gone', problem: 'a search does not find /p11' },
  },
];
