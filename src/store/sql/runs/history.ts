// The history of the database: its id, and whether the events that were read from it are still there.

import { pinakesError } from '../../../core/model/errors.ts';
import { randomHex } from '../../../platform/clock.ts';
import type { History, HistoryPosition } from '../../port/history.ts';
import type { Engine, Executor } from '../engine/engine.ts';

/** The event that was newest before is read in the same statement as the one that is newest now. */
const selectMark = `select history_id as id, last as seq, (select at from events where seq = last) as at,
  (select at from events where seq = $1) as seen_at from change_log cross join event_head`;
const beginHistory = `update change_log set history_id = $1 where history_id = $2`;

interface MarkRow extends HistoryPosition {
  readonly seen_at: number | null;
}

async function readMark(reader: Executor, seen: HistoryPosition | null): Promise<MarkRow> {
  const [row] = await reader.all<MarkRow>(selectMark, [seen?.seq ?? 0]);
  if (row === undefined) throw pinakesError('internal', { reason: 'the database has no history' });
  return row;
}

function isContinued({ seq, seen_at: seenAt }: MarkRow, seen: HistoryPosition): boolean {
  return seq >= seen.seq && (seen.at === null || seenAt === null || seenAt === seen.at);
}

/** The last commit of a process, which a database that has gone back lacks. */
export interface CommittedHistory {
  /**
   * An engine whose transactions change nothing and raise `database.rolled-back` once what this process committed before is
   * gone: what it remembers of runs and URLs is then of another history, and `follow` notices only seconds later.
   */
  readonly engine: Engine;
  newest: HistoryPosition | null;
}

export function createCommittedHistory(engine: Engine): CommittedHistory {
  const committed: CommittedHistory = {
    newest: null,
    engine: {
      ...engine,
      async transaction(work, flush) {
        const { newest } = committed;
        let end: HistoryPosition | null = null;
        const result = await engine.transaction(async (tx) => {
          if (newest !== null && !isContinued(await readMark(tx, newest), newest))
            throw pinakesError('database.rolled-back', {});
          const returned = await work(tx);
          const { id, seq, at } = await readMark(tx, null);
          end = { id, seq, at };
          return returned;
        }, flush);
        committed.newest = newerOf(committed.newest, end);
        return result;
      },
    },
  };
  return committed;
}

function newerOf(a: HistoryPosition | null, b: HistoryPosition | null): HistoryPosition | null {
  return a === null || (b !== null && b.seq >= a.seq) ? b : a;
}

export function createHistory(engine: Engine, committed: CommittedHistory): History {
  /** Whether what this process committed after that event is still there. */
  const hasCommitted = async (after: number): Promise<boolean> => {
    const { newest } = committed;
    return newest === null || newest.seq <= after || isContinued(await readMark(engine.reader, newest), newest);
  };
  const begin = (previous: string): Promise<void> =>
    engine.transaction(async (tx) => void (await tx.all(beginHistory, [createHistoryId(), previous])));
  return {
    begin,
    async follow(seen) {
      if (seen === null) committed.newest = null;
      const row = await readMark(engine.reader, seen);
      const mark = { id: row.id, seq: row.seq, at: row.at };
      if (seen === null) return mark;
      if (mark.id === seen.id && isContinued(row, seen) && (await hasCommitted(seen.seq))) return mark;
      if (mark.id === seen.id) await begin(seen.id);
      throw pinakesError('database.rolled-back', {});
    },
  };
}

export function createHistoryId(): string {
  return randomHex(8);
}
