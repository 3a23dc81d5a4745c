// Statistics of the store: pages, chunks, embeddings and size.

import type { VersionId } from '../../../core/model/run.ts';
import type { Stats } from '../../port.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { batch, type Engine } from '../engine/engine.ts';
import { FIRST_KEY, nextKeyWindow } from '../engine/key-window.ts';
import { readDays } from './daily-sizes.ts';
import { progressOfAll } from '../vectors/open-space.ts';

interface VersionRow {
  readonly version_id: number;
  readonly pages: number;
  readonly duplicates: number;
  readonly chunks: number;
  readonly oldest: number;
  readonly newest: number;
  readonly changed: number;
}

/** Triggers keep the counts; see the schema. */
const selectVersionStats = batch(
  { id: 'int' },
  `select version_id, pages, duplicates, chunks, oldest_check_at as oldest, newest_check_at as newest, changed_at as changed
  from version_counts, {rows} r where version_id = r.id and pages + duplicates > 0`,
);

const sumPages = `select cast(coalesce(sum(pages), 0) as bigint) as pages from version_counts
  join versions on versions.id = version_id join sources on sources.id = source_id and removed_at is null`;

const MEASURED_PAGES = 10_000;
const selectStillOldest = `select p.checked_at from version_counts c join pages p on p.version_id = c.version_id and p.url_key = c.oldest_check_key
  where c.version_id = $1 and p.checked_at = c.oldest_check_at`;
const selectOldest = `select url_key, checked_at from pages where version_id = $1 and url_key > $2 and url_key <= $3 order by checked_at limit 1`;
const saveOldest = `update version_counts set oldest_check_at = $2, oldest_check_key = $3 where version_id = $1`;

interface OldestRow {
  readonly url_key: Uint8Array;
  readonly checked_at: number;
}

/** Looks at all pages only if the oldest one was checked again or is gone: any other check is newer. */
async function measureOldestCheck(engine: Engine, version: VersionId): Promise<void> {
  if ((await engine.reader.all(selectStillOldest, [version])).length > 0) return;
  let oldest: OldestRow | undefined;
  for (let after = FIRST_KEY; ;) {
    const { end, isLast } = await nextKeyWindow(engine.reader, 'pages', version, { after, rows: MEASURED_PAGES });
    const [row] = await engine.reader.all<OldestRow>(selectOldest, [version, after, end]);
    if (row !== undefined && (oldest === undefined || row.checked_at < oldest.checked_at)) oldest = row;
    if (isLast) break;
    after = end;
  }
  if (oldest === undefined) return;
  const values = [version, oldest.checked_at, oldest.url_key];
  await engine.transaction((tx) => tx.all(saveOldest, values));
}

export function createStats(
  engine: Engine,
  { databaseBytes, writeAheadLog }: Pick<EngineParts, 'databaseBytes' | 'writeAheadLog'>,
): Stats {
  return {
    async versions(of) {
      const rows = await engine.reader.each<VersionRow>(
        selectVersionStats,
        of.map((version) => [version]),
      );
      return rows.map((row) => ({
        version: row.version_id as VersionId,
        pages: row.pages,
        duplicates: row.duplicates,
        chunks: row.chunks,
        oldestCheckAt: new Date(row.oldest),
        newestCheckAt: new Date(row.newest),
        changedAt: new Date(row.changed),
      }));
    },
    async totalPages() {
      const [row] = await engine.reader.all<{ pages: number }>(sumPages);
      return row?.pages ?? 0;
    },
    measureOldestCheck: (version) => measureOldestCheck(engine, version),
    spaces: () => progressOfAll(engine.reader),
    libraryDays: (since, source) => readDays(engine.reader, since, source),
    writeAheadLog,
    async bytes() {
      const [row] = await engine.reader.all<{ bytes: number }>(databaseBytes);
      return row?.bytes ?? 0;
    },
  };
}
