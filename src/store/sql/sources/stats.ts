// Statistics of the store: pages, chunks, embeddings and size.

import type { VersionId } from '../../../core/model/run.ts';
import type { Stats, SpaceStats } from '../../port.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import type { Engine } from '../engine/engine.ts';
import { EMBEDDING_STATE, UNEMBEDDED_STATES_SQL } from '../engine/states.ts';

interface VersionRow {
  readonly version_id: number;
  readonly pages: number;
  readonly duplicates: number;
  readonly chunks: number;
  readonly oldest: number;
  readonly newest: number;
  readonly changed: number;
}

const selectVersionStats = `select version_id, count(*) filter (where alias_key is null) as pages, count(alias_key) as duplicates,
  cast(sum(n_chunks) as bigint) as chunks, min(checked_at) as oldest, max(checked_at) as newest, max(changed_at) as changed
  from pages group by version_id`;

const selectSpaceStats = `select s.fingerprint, s.dimensions, count(*) filter (where e.state in ${UNEMBEDDED_STATES_SQL}) as pending, count(*) filter (where e.state = ${EMBEDDING_STATE.embedded}) as embedded,
  count(*) filter (where e.state = ${EMBEDDING_STATE.failed}) as failed from spaces s left join embeddings e on e.space_id = s.id
  group by s.id, s.fingerprint, s.dimensions order by s.id`;

export function createStats(engine: Engine, { databaseBytes }: Pick<EngineParts, 'databaseBytes'>): Stats {
  return {
    async versions() {
      const rows = await engine.reader.all<VersionRow>(selectVersionStats);
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
    async spaces() {
      return engine.reader.all<SpaceStats>(selectSpaceStats);
    },
    async bytes() {
      const [row] = await engine.reader.all<{ bytes: number }>(databaseBytes);
      return row?.bytes ?? 0;
    },
  };
}
