// Walks over the unfetched URLs of a run in steps of one transaction each. A step continues where the last one ended: the rows
// that it settles stay in the index until it is vacuumed, and a step from the head would pass over all of them again.

import type { RunLease } from '../../port/runs.ts';
import type { Engine, Executor, Value } from '../engine/engine.ts';
import { URL_STATE } from '../engine/states.ts';
import { underLease } from '../runs/run-row.ts';

const STEP_ROWS = 1000;

export interface UnfetchedRow {
  readonly version_id: number;
  readonly url_key: Uint8Array;
  readonly url: string;
  readonly depth: number;
  readonly has_page: boolean | number;
}

interface PositionedRow extends UnfetchedRow {
  readonly host_id: number;
  readonly rank: number;
  readonly priority: number;
  readonly due_at: number;
}

const select = (where: string): string =>
  `select version_id, url_key, url, depth, host_id, rank, priority, due_at,
     exists (select 1 from pages where pages.version_id = frontier.version_id and pages.url_key = frontier.url_key) as has_page
   from frontier where run_id = $1 and ${where} limit $2`;

interface Part {
  readonly select: string;
  readonly first: readonly Value[];
  readonly positionOf: (row: PositionedRow) => readonly Value[];
}

/** One for each state, because each has its own partial index: queued rows are adjacent, waiting ones are few. */
const PARTS: readonly Part[] = [
  {
    select: select(
      `state = ${URL_STATE.queued} and (host_id, rank, priority, url_key) > ($3, $4, $5, $6) order by host_id, rank, priority, url_key`,
    ),
    first: [-1, -1, -1, new Uint8Array()],
    positionOf: (row) => [row.host_id, row.rank, row.priority, row.url_key],
  },
  {
    select: select(`state = ${URL_STATE.waiting} and due_at >= $3 order by due_at`),
    first: [0],
    positionOf: (row) => [row.due_at],
  },
];

const NO_STEP = { last: undefined, isFull: false, changed: 0 };

/** `settle` gives each row another state and returns how many it changed; the sum is returned. Ends when the lease is lost. */
export async function walkUnfetched(
  engine: Engine,
  lease: RunLease,
  settle: (tx: Executor, rows: readonly UnfetchedRow[]) => Promise<number>,
): Promise<number> {
  let settled = 0;
  for (const { select: sql, first, positionOf } of PARTS)
    for (let after: readonly Value[] | null = first; after !== null;) {
      const position: readonly Value[] = after;
      const step = await underLease(engine, lease, NO_STEP, async (tx) => {
        const rows = await tx.all<PositionedRow>(sql, [lease.run.id, STEP_ROWS, ...position]);
        return {
          last: rows.at(-1),
          isFull: rows.length === STEP_ROWS,
          changed: rows.length === 0 ? 0 : await settle(tx, rows),
        };
      });
      settled += step.changed;
      after = step.isFull && step.last !== undefined && step.changed > 0 ? positionOf(step.last) : null;
    }
  return settled;
}
