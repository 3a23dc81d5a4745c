// The size of each source by day: one row for each, written while its runs go on and at their end. Counts are those that triggers
// keep, so a row costs the same in a library of any size.

import type { DailySize } from '../../port.ts';
import { batch, perRow, type Executor } from '../engine/engine.ts';

const DAY_MS = 86_400_000;
const TODAY = `cast(now_ms() / ${DAY_MS} as integer)`;

const COUNTED = `select s.name, ${TODAY}, coalesce(sum(c.pages), 0), coalesce(sum(c.chunks), 0), cast($2 as bigint), cast($3 as bigint)
  from sources s left join versions v on v.source_id = s.id left join version_counts c on c.version_id = v.id
  where s.id = $1 and s.removed_at is null group by s.name`;
const upsert = `insert into library_days (source, day, pages, chunks, received_bytes, database_bytes) ${COUNTED}
  on conflict (source, day) do update set pages = excluded.pages, chunks = excluded.chunks,
    received_bytes = library_days.received_bytes + excluded.received_bytes,
    database_bytes = coalesce(excluded.database_bytes, library_days.database_bytes)`;
/** Before its name is replaced. */
const clear = `insert into library_days (source, day, pages, chunks, received_bytes) select name, ${TODAY}, 0, 0, 0 from sources
  where id = $1 and removed_at is null on conflict (source, day) do update set pages = 0, chunks = 0`;

const DAY = `select d.source, d.day, d.pages, d.chunks, d.received_bytes, d.database_bytes from library_days d`;
const selectSince = `${DAY} where d.day >= $1 order by d.day, d.source`;
const selectSinceOfSource = `${DAY} where d.source = $2 and d.day >= $1 order by d.day`;
const selectNames = `select name from sources where removed_at is null`;
const selectBefore = perRow(
  batch({ source: 'text' }, `${DAY}, {rows} r where d.source = r.source and d.day < $1 order by d.day desc limit 1`, [
    'int',
  ]),
);

interface DayRow {
  readonly source: string;
  readonly day: number;
  readonly pages: number;
  readonly chunks: number;
  readonly received_bytes: number;
  readonly database_bytes: number | null;
}

export interface EndedRunSize {
  readonly receivedBytes: number;
  readonly databaseBytes: number;
}

/** `ended` for a run that ends in this transaction. */
export async function recordDay(tx: Executor, source: number, ended?: EndedRunSize): Promise<void> {
  await tx.all(upsert, [source, ended?.receivedBytes ?? 0, ended?.databaseBytes ?? null]);
}

/** In the transaction that removes the source. */
export async function recordRemoval(tx: Executor, source: number): Promise<void> {
  await tx.all(clear, [source]);
}

export async function readDays(reader: Executor, since: Date, source: string | null): Promise<readonly DailySize[]> {
  const first = Math.floor(since.getTime() / DAY_MS);
  const rows =
    source === null
      ? await reader.all<DayRow>(selectSince, [first])
      : await reader.all<DayRow>(selectSinceOfSource, [first, source]);
  const names = source === null ? (await reader.all<{ name: string }>(selectNames)).map(({ name }) => name) : [source];
  const known = [...new Set([...names, ...rows.map((row) => row.source)])];
  const before = await reader.each<DayRow>(
    selectBefore,
    known.map((name) => [name]),
    [first],
  );
  return [...before.toSorted((a, b) => a.day - b.day), ...rows].map(toDay);
}

function toDay({ source, day, pages, chunks, received_bytes, database_bytes }: DayRow): DailySize {
  const bytes = { receivedBytes: received_bytes, databaseBytes: database_bytes };
  return { source, day: new Date(day * DAY_MS), pages, chunks, ...bytes };
}
