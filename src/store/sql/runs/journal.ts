// Events: appended, followed, listed and pruned.

import type { PageUrl } from '../../../core/model/page-url.ts';
import type { RunId, SourceId } from '../../../core/model/run.ts';
import type { Journal, JournalEvent } from '../../port/journal.ts';
import { jsonObject } from '../engine/codec.ts';
import { readRange } from './read-range.ts';
import { createProblemsAndMilestones } from './problems-and-milestones.ts';
import { createTransactionTail } from './transaction-tail.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import type { Engine } from '../engine/engine.ts';
import type { FrontierLookup } from '../frontier/frontier-lookup.ts';
import { lockSourceOfRun } from '../sources/lock-source.ts';

const EVENT = `select seq, at, source_id, run_id, kind, url, detail from events`;
const selectAfter = `${EVENT} where seq > $1 order by seq limit $2`;
const selectAfterOfRun = `${EVENT} where run_id = $3 and seq > $1 order by seq limit $2`;
const selectLastSeq = `select last from event_head`;
/** Events are ordered by time unless the clock was set back: such events are kept until the ones before them expire. */
const deleteOldest = `delete from events where seq in (select seq from (select seq, at from events where seq > $3 order by seq limit $2) oldest
  where at < coalesce((select expiry_at from event_head), now_ms()) - cast($1 as bigint))
  returning seq`;

/** How far the time of expiry follows the clock at once. */
const MAX_ADVANCE_MS = 30 * 86_400_000;
/** A time ahead of the clock was taken from a wrong one. */
const advanceExpiry = `update event_head set expiry_at = case when expiry_at + ${MAX_ADVANCE_MS} < now_ms() then expiry_at + ${MAX_ADVANCE_MS} else now_ms() end`;

interface EventRow {
  readonly seq: number;
  readonly at: number;
  readonly source_id: number;
  readonly run_id: number;
  readonly kind: string;
  readonly url: string | null;
  readonly detail: string;
}

export function createJournal(engine: Engine, { eventPartitions }: EngineParts, lookup: FrontierLookup): Journal {
  // Where all events have been deleted: their entries stay in the index for a while, and each step would pass over them.
  let prunedTo = 0;
  return {
    ...createProblemsAndMilestones(engine, lookup),
    async append(run, events) {
      const { source } = await lookup.runInfo(run);
      await engine.transaction(async (tx) => {
        if (!(await lockSourceOfRun(tx, run))) return;
        const tail = createTransactionTail();
        for (const event of events) tail.append({ source, run, ...event });
        await tail.write(tx);
      });
    },
    async after(seq, limit, run) {
      const rows =
        run === undefined
          ? engine.reader.all<EventRow>(selectAfter, [seq, limit])
          : engine.reader.all<EventRow>(selectAfterOfRun, [seq, limit, run]);
      return (await rows).map(toEvent);
    },
    async list({ run, kind, ...range }) {
      const source = { select: EVENT, order: 'seq', filters: { run_id: run, kind } };
      return (await readRange<EventRow>(engine.reader, source, range)).map(toEvent);
    },
    async lastSeq() {
      const [row] = await engine.reader.all<{ last: number }>(selectLastSeq);
      return row?.last ?? 0;
    },
    advanceExpiry: () => engine.transaction(async (tx) => void (await tx.all(advanceExpiry))),
    async prune(olderThanMs, limit) {
      const retired = eventPartitions === null ? null : await eventPartitions.retire(olderThanMs);
      if (retired !== null) return retired;
      const deleted = await engine.transaction((tx) =>
        tx.all<{ seq: number }>(deleteOldest, [olderThanMs, limit, prunedTo]),
      );
      if (deleted.length === limit) prunedTo = deleted.reduce((last, { seq }) => Math.max(last, seq), prunedTo);
      return deleted.length;
    },
  };
}

function toEvent(row: EventRow): JournalEvent {
  return {
    seq: row.seq,
    at: new Date(row.at),
    source: row.source_id as SourceId,
    run: row.run_id as RunId,
    kind: row.kind,
    url: row.url as PageUrl | null,
    detail: jsonObject(row.detail),
  };
}
