// Events, problems and milestones.

import type { PageUrl } from '../../../core/model/page-url.ts';
import type { RunId, SourceId } from '../../../core/model/run.ts';
import type { EventQuery, Journal, JournalEvent, Problem } from '../../port.ts';
import { jsonObject, jsonText } from '../engine/codec.ts';
import { createTally, appendEvent } from './tally.ts';
import type { Engine, Executor } from '../engine/engine.ts';
import type { FrontierLookup } from '../frontier/enqueue-urls.ts';

const EVENT = `select seq, at, source_id, run_id, kind, url, detail from events`;
const selectAfter = `${EVENT} where seq > $1 order by seq limit $2`;
const selectAfterOfRun = `${EVENT} where run_id = $3 and seq > $1 order by seq limit $2`;
const selectBefore = `${EVENT} where seq < $1 and ($3 = '' or kind = $3) order by seq desc limit $2`;
const selectBeforeOfRun = `${EVENT} where run_id = $3 and seq < $1 order by seq desc limit $2`;
const selectBeforeOfKind = `${EVENT} where run_id = $3 and kind = $4 and seq < $1 order by seq desc limit $2`;
const selectLastSeq = `select last from event_head`;
/** Events are ordered by time unless the clock was set back: such events are kept until the ones before them expire. */
const deleteOldest = `delete from events where seq in (select seq from (select seq, at from events where seq > $3 order by seq limit $2) oldest
  where at < coalesce((select expiry_at from event_head), now_ms()) - cast($1 as bigint))
  returning seq`;

/** How far the time of expiry follows the clock at once. */
const MAX_ADVANCE_MS = 30 * 86_400_000;
/** A time ahead of the clock was taken from a wrong one. */
const advanceExpiry = `update event_head set expiry_at = case when expiry_at + ${MAX_ADVANCE_MS} < now_ms() then expiry_at + ${MAX_ADVANCE_MS} else now_ms() end`;

const upsertProblem = `insert into problems (source_id, run_id, kind, severity, scope, target, message, details, times, first_at, last_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, 1, now_ms(), now_ms())
  on conflict (run_id, kind, target) do update set times = problems.times + 1, last_at = excluded.last_at, severity = excluded.severity,
    message = excluded.message, details = excluded.details returning times`;
const selectProblems = `select run_id, kind, severity, scope, target, message, details, times, last_at from problems where run_id = $1 order by id`;

const insertMilestone = `insert into milestones (run_id, kind, source_id, at, details) values ($1, $2, $3, now_ms(), $4) on conflict do nothing returning run_id`;
const selectMilestones = `select kind, at, details from milestones where run_id = $1 order by at, kind`;

interface EventRow {
  readonly seq: number;
  readonly at: number;
  readonly source_id: number;
  readonly run_id: number;
  readonly kind: string;
  readonly url: string | null;
  readonly detail: string;
}

interface ProblemRow extends Omit<Problem, 'run' | 'details'> {
  readonly run_id: number;
  readonly details: string;
  readonly times: number;
  readonly last_at: number;
}

export function createJournal(engine: Engine, lookup: FrontierLookup): Journal {
  // Where all events have been deleted: their entries stay in the index for a while, and each step would pass over them.
  let prunedTo = 0;
  return {
    async append(run, events) {
      const { source } = await lookup.runFacts(run);
      await engine.transaction(async (tx) => {
        const tally = createTally();
        for (const event of events) tally.append({ source, run, ...event });
        await tally.write(tx);
      });
    },
    async after(seq, limit, run) {
      const rows =
        run === undefined
          ? engine.reader.all<EventRow>(selectAfter, [seq, limit])
          : engine.reader.all<EventRow>(selectAfterOfRun, [seq, limit, run]);
      return (await rows).map(toEvent);
    },
    before: async (query) => (await rowsBefore(engine.reader, query)).map(toEvent),
    async lastSeq() {
      const [row] = await engine.reader.all<{ last: number }>(selectLastSeq);
      return row?.last ?? 0;
    },
    advanceExpiry: () => engine.transaction(async (tx) => void (await tx.all(advanceExpiry))),
    async prune(olderThanMs, limit) {
      const deleted = await engine.transaction((tx) =>
        tx.all<{ seq: number }>(deleteOldest, [olderThanMs, limit, prunedTo]),
      );
      if (deleted.length === limit) prunedTo = deleted.reduce((last, { seq }) => Math.max(last, seq), prunedTo);
      return deleted.length;
    },
    async reportProblem(problem) {
      const { source } = await lookup.runFacts(problem.run);
      await engine.transaction((tx) => reportProblem(tx, source, problem));
    },
    async problems(run) {
      const rows = await engine.reader.all<ProblemRow>(selectProblems, [run]);
      return rows.map(({ run_id, details, last_at, ...rest }) => ({
        ...rest,
        run: run_id as RunId,
        details: jsonObject(details),
        lastAt: new Date(last_at),
      }));
    },
    async recordMilestone(run, milestone, details) {
      const { source } = await lookup.runFacts(run);
      return engine.transaction(async (tx) => {
        const reached = await tx.all(insertMilestone, [run, milestone, source, jsonText(details)]);
        if (reached.length === 0) return false;
        await appendEvent(tx, { source, run, kind: 'milestone', url: null, detail: { kind: milestone, ...details } });
        return true;
      });
    },
    async milestones(run) {
      const rows = await engine.reader.all<{ kind: string; at: number; details: string }>(selectMilestones, [run]);
      return rows.map((row) => ({ kind: row.kind, at: new Date(row.at), details: jsonObject(row.details) }));
    },
  };
}

function rowsBefore(reader: Executor, { run, kind, before: seq, limit }: EventQuery): Promise<EventRow[]> {
  const range = [seq ?? Number.MAX_SAFE_INTEGER, limit] as const;
  if (run === null) return reader.all(selectBefore, [...range, kind ?? '']);
  return kind === null
    ? reader.all(selectBeforeOfRun, [...range, run])
    : reader.all(selectBeforeOfKind, [...range, run, kind]);
}

/** A repeated problem is counted without another event. */
async function reportProblem(tx: Executor, source: number, problem: Problem): Promise<void> {
  const { run, kind, severity, scope, target, message, details } = problem;
  const values = [source, run, kind, severity, scope, target, message, jsonText(details)];
  const [row] = await tx.all<{ times: number }>(upsertProblem, values);
  if (row?.times !== 1) return;
  await appendEvent(tx, {
    source,
    run,
    kind: 'problem',
    url: null,
    detail: { kind, severity, scope, target, message },
  });
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
