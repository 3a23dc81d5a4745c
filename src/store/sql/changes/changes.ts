// The outbox: reading, saved positions and compaction.

import { ALL_KEYS } from '../../../ports/index-parts.ts';
import { pinakesError } from '../../../core/model/errors.ts';
import type { PageUrl, UrlKey } from '../../../core/model/page-url.ts';
import type { SourceId, VersionId } from '../../../core/model/run.ts';
import type { Change, ChangeRange, Changes } from '../../port/changes.ts';
import { chunkIds, hashBytes, hex } from '../engine/codec.ts';
import type { Engine, Executor } from '../engine/engine.ts';
import { CHANGE_KIND } from '../engine/states.ts';
import { listPages, listVersions } from './list-pages.ts';

const selectAfter = `select position, at, version_id, source_id, kind, url_key, url, added, removed from changes
  where position > $1 and url_key > $3 and url_key <= $4 order by position limit $2`;
const selectRange = `select last_change as latest, complete_from as oldest, library_id as library from event_head cross join change_log`;
const selectTime = `select at from changes where position = $1`;

const selectConsumer = `select position from change_consumers where name = $1`;
const advanceConsumer = `insert into change_consumers (name, position) values ($1, $2)
  on conflict (name) do update set position = excluded.position where change_consumers.position < excluded.position`;

/** Writing the row to itself takes its lock on either engine: one process compacts at a time. */
const lockLog = `update change_log set complete_from = complete_from returning complete_from`;
const selectOldest = `select position, at < coalesce((select expiry_at from event_head), now_ms()) - cast($3 as bigint) as expired
  from changes where position > $1 order by position limit $2`;
/** A row that stays is deleted when a newer one of its page is passed, however much later. */
const deleteSuperseded = `delete from changes where position in (
    select older.position from changes passed join changes older
      on older.version_id = passed.version_id and older.url_key = passed.url_key and older.position < passed.position
    where passed.position > $1 and passed.position <= $2
    union all select position from changes where position > $1 and position <= $2 and kind = ${CHANGE_KIND.removed})`;
/** Names are needed as long as a change may be read. */
const forgetRemoved = `delete from removed_versions where not exists (select 1 from changes where changes.version_id = removed_versions.version_id)
  and not exists (select 1 from versions where versions.id = removed_versions.version_id)`;
const setComplete = `update change_log set complete_from = $1`;

interface ChangeRow {
  readonly position: number;
  readonly at: number;
  readonly version_id: number;
  readonly source_id: number;
  readonly kind: number;
  readonly url_key: Uint8Array;
  readonly url: string;
  readonly added: Uint8Array;
  readonly removed: Uint8Array;
}

export function createChanges(engine: Engine): Changes {
  const { reader } = engine;
  return {
    async after(position, limit, { after, end } = ALL_KEYS) {
      const rows = await reader.all<ChangeRow>(selectAfter, [position, limit, hashBytes(after), hashBytes(end)]);
      // After the rows: a compaction that they miss is visible by now.
      const { oldest, latest } = await readRange(reader);
      if (position < oldest || position > latest) throw pinakesError('changes.expired', { position, oldest, latest });
      return rows.map(toChange);
    },
    range: () => readRange(reader),
    async timeOf(position) {
      const [row] = await reader.all<{ at: number }>(selectTime, [position]);
      return row === undefined ? null : new Date(row.at);
    },
    listPages: (version, after, limit) => listPages(reader, version, after, limit),
    versions: () => listVersions(reader),
    latest: async () => (await readRange(reader)).latest,
    oldestComplete: async () => (await readRange(reader)).oldest,
    async consumer(name) {
      const [row] = await reader.all<{ position: number }>(selectConsumer, [name]);
      return row?.position ?? null;
    },
    advance: (name, position) =>
      engine.transaction(async (tx) => void (await tx.all(advanceConsumer, [name, position]))),
    compact: (olderThanMs, limit) => engine.transaction((tx) => compact(tx, olderThanMs, limit), 'later'),
  };
}

async function readRange(reader: Executor): Promise<ChangeRange> {
  const [range] = await reader.all<ChangeRange>(selectRange);
  return range ?? { library: '', latest: 0, oldest: 0 };
}

/** Rows are ordered by time unless the clock was set back: such rows are kept until the ones before them expire. */
async function compact(tx: Executor, olderThanMs: number, limit: number): Promise<number> {
  const [log] = await tx.all<{ complete_from: number }>(lockLog);
  const from = log?.complete_from ?? 0;
  const rows = await tx.all<{ position: number; expired: boolean | number }>(selectOldest, [from, limit, olderThanMs]);
  const firstRetained = rows.findIndex(({ expired }) => !expired);
  const passed = firstRetained === -1 ? rows : rows.slice(0, firstRetained);
  const last = passed.at(-1);
  if (last === undefined) return 0;
  await tx.all(deleteSuperseded, [from, last.position]);
  await tx.all(setComplete, [last.position]);
  await tx.all(forgetRemoved);
  return passed.length;
}

const KINDS: ReadonlyMap<number, Change['kind']> = new Map(
  Object.entries(CHANGE_KIND).map(([name, code]) => [code, name as Change['kind']]),
);

function toChange(row: ChangeRow): Change {
  return {
    position: row.position,
    at: new Date(row.at),
    version: row.version_id as VersionId,
    source: row.source_id as SourceId,
    page: hex(row.url_key) as UrlKey,
    url: row.url as PageUrl,
    revision: row.position,
    kind: KINDS.get(row.kind) ?? 'changed',
    added: chunkIds(row.added),
    removed: chunkIds(row.removed),
  };
}
