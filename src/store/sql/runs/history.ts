// The history of the database: its id, and whether the events that were read from it are still there.

import { pinakesError } from '../../../core/model/errors.ts';
import { randomHex } from '../../../platform/clock.ts';
import type { History, HistoryPosition } from '../../port/history.ts';
import type { Engine } from '../engine/engine.ts';

/** The event that was newest before is read in the same statement as the one that is newest now. */
const selectMark = `select history_id as id, last as seq, (select at from events where seq = last) as at,
  (select at from events where seq = $1) as seen_at from change_log cross join event_head`;
const beginHistory = `update change_log set history_id = $1 where history_id = $2`;

interface MarkRow extends HistoryPosition {
  readonly seen_at: number | null;
}

export function createHistory(engine: Engine): History {
  const begin = (previous: string): Promise<void> =>
    engine.transaction(async (tx) => void (await tx.all(beginHistory, [createHistoryId(), previous])));
  return {
    begin,
    async follow(seen) {
      const [row] = await engine.reader.all<MarkRow>(selectMark, [seen?.seq ?? 0]);
      if (row === undefined) throw pinakesError('internal', { reason: 'the database has no history' });
      const { seen_at: seenAt, ...mark } = row;
      if (seen === null) return mark;
      const isContinued = mark.seq >= seen.seq && (seen.at === null || seenAt === null || seenAt === seen.at);
      if (isContinued && mark.id === seen.id) return mark;
      if (mark.id === seen.id) await begin(seen.id);
      throw pinakesError('database.rolled-back', {});
    },
  };
}

export function createHistoryId(): string {
  return randomHex(8);
}
