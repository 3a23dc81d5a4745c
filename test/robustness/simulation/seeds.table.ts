// Seeds that found a fault, which is fixed: they are simulated forever.

export interface FailingSeed {
  readonly seed: number;
  readonly cause: string;
  /**
   * The fault of planted-faults.table.ts that takes the fix back. The long suite looks for it in many seeds: a change of the program changes
   * what happens in each of them. Null for a fault of the simulation.
   */
  readonly planted: string | null;
}

export const FAILING_SEEDS: readonly FailingSeed[] = [
  {
    seed: 294,
    cause: 'The answer of a read of discovery was lost, and discovery went on as if the site had no list of its pages.',
    planted: 'levels are skipped after a lost answer',
  },
  {
    seed: 60,
    cause: 'A page was excluded as too deep on a longer path before a page that was retried showed a shorter one.',
    planted: 'a shorter path comes too late',
  },
  {
    seed: 189,
    cause: 'A page fetched on a longer path kept its depth, so its links stayed excluded when a shorter path came.',
    planted: 'the links of a page stay those of its longer path',
  },
  {
    seed: 179,
    cause: 'A process went on with runs that it remembered after the database had gone back to before they existed.',
    planted: 'what a process remembers outlives a rollback',
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
    planted: 'a page that is queued again is taken for the one that was read',
  },
  {
    seed: 1364,
    cause:
      'After the database had gone back, an indexer went on with a merge that it remembered, under an id that had been given out again.',
    planted: 'an index is written for a history that is gone',
  },
  {
    seed: 130,
    cause: `Releasing claims read the run with a second connection in its transaction: a process that stopped at this moment kept the database locked, and
      with a pool whose connections are all in transactions none of them would end.`,
    planted: 'a transaction reads with a second connection',
  },
  {
    seed: 127,
    cause: `A process released a claim and got no answer, then claimed the same URL again. A renewal of both said that both were held, so it worked on
      the first one for as long as it had the second.`,
    planted: 'an earlier claim is held as long as a newer one',
  },
  {
    seed: 682,
    cause:
      'An indexer forgot to merge the segments of a version when the read of them failed, so an empty one was searched until the next page.',
    planted: 'a version whose segments cannot be read is not merged',
  },
  {
    seed: 3751,
    cause: `The database went back by nothing but the creation of a segment, which no event tells. Its indexer wrote the terms to a segment that was
      not there any more, and published it: its pages were never found again.`,
    planted: 'a segment that is gone is published',
  },
  {
    seed: 9653,
    cause: `A process asked for another slot because the answer to the first one had come late, and used it however late that answer came: it
      requested a page right before the holder of the next slot.`,
    planted: 'a second slot whose answer was late is used',
  },
];
