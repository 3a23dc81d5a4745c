// Lists what a consumer of changes has to know once: every version by name, and every page with the ids of its chunks.

import type { ChunkId } from '../../../core/model/chunk.ts';
import type { PageUrl, UrlKey } from '../../../core/model/page-url.ts';
import type { VersionId } from '../../../core/model/run.ts';
import type { Changes, NamedVersion } from '../../port/changes.ts';
import { hex } from '../engine/codec.ts';
import { batch, type Executor } from '../engine/engine.ts';
import { FIRST_KEY } from '../engine/key-window.ts';

const selectPages = `select url_key, url, changed_at from pages where version_id = $1 and url_key > $2 and n_chunks > 0 order by url_key limit $3`;
const selectChunkIds = batch(
  { url_key: 'bytes' },
  `select chunks.url_key, chunks.chunk_id, chunks.ordinal from chunks, {rows} r where chunks.version_id = $1 and chunks.url_key = r.url_key`,
  ['int'],
);
/** A source is renamed when it is removed, so the name that was kept comes first. */
const selectVersions = `select v.id as version, coalesce(r.source, s.name) as source, coalesce(r.label, v.label) as label,
    case when s.removed_at is null then 0 else 1 end as removed
  from versions v join sources s on s.id = v.source_id left join removed_versions r on r.version_id = v.id
  union all select version_id, source, label, 1 from removed_versions where version_id not in (select id from versions)
  order by 1`;

interface PageRow {
  readonly url_key: Uint8Array;
  readonly url: string;
  readonly changed_at: number;
}

interface ChunkRow {
  readonly url_key: Uint8Array;
  readonly chunk_id: Uint8Array;
  readonly ordinal: number;
}

/** The ids may be newer than the page: a change that comes later tells both. A page that was removed in between is left out. */
export async function listPages(
  reader: Executor,
  version: VersionId,
  after: UrlKey | null,
  limit: number,
): ReturnType<Changes['listPages']> {
  const from = after === null ? FIRST_KEY : Buffer.from(after, 'hex');
  const rows = await reader.all<PageRow>(selectPages, [version, from, limit]);
  const keys = rows.map((row) => [row.url_key]);
  const chunks = Map.groupBy(await reader.each<ChunkRow>(selectChunkIds, keys, [version]), (row) => hex(row.url_key));
  const pages = rows.map((row) => {
    const key = hex(row.url_key);
    const ofPage = (chunks.get(key) ?? []).toSorted((a, b) => a.ordinal - b.ordinal);
    return {
      page: key as UrlKey,
      url: row.url as PageUrl,
      changedAt: new Date(row.changed_at),
      chunks: ofPage.map((chunk) => hex(chunk.chunk_id) as ChunkId),
    };
  });
  const last = rows.length < limit ? undefined : rows.at(-1);
  return {
    pages: pages.filter((page) => page.chunks.length > 0),
    after: last === undefined ? null : (hex(last.url_key) as UrlKey),
  };
}

export async function listVersions(reader: Executor): Promise<readonly NamedVersion[]> {
  const rows = await reader.all<{ version: number; source: string; label: string; removed: number }>(selectVersions);
  return rows.map(({ version, source, label, removed }) => ({
    version: version as VersionId,
    source,
    label,
    isRemoved: removed === 1,
  }));
}
