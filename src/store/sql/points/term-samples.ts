// Samples of the terms of versions and of the library, from which an external index has its document frequencies.

import { LIBRARY, type IndexedPageKey, type PointRecords, type SampleState } from '../../../ports/point-records.ts';
import type { UrlKey } from '../../../core/model/page-url.ts';
import type { VersionId } from '../../../core/model/run.ts';
import { hex } from '../engine/codec.ts';
import type { Engine } from '../engine/engine.ts';
import { lockSourceOf } from '../sources/lock-source.ts';

type TermSamples = Pick<PointRecords, 'sampleStates' | 'samplePages' | 'sample' | 'saveSample'>;

const SAMPLE_COLUMNS = `s.chunks as sampled, s.of_chunks, s.sampled_at, now_ms() - s.sampled_at as age`;
const selectVersions = `select c.version_id, c.chunks, c.changed_at, ${SAMPLE_COLUMNS}
  from version_counts c left join term_samples s on s.version_id = c.version_id where c.chunks > 0 order by c.version_id`;
const selectLibrary = `select s.version_id, 0 as chunks, 0 as changed_at, ${SAMPLE_COLUMNS} from term_samples s where s.version_id = ${LIBRARY}`;
const selectPages = `select url_key from pages where version_id = $1 and n_chunks > 0 order by url_key limit $2`;
const selectSample = `select chunks, terms from term_samples where version_id = $1`;
const upsertSample = `insert into term_samples (version_id, chunks, of_chunks, sampled_at, terms) values ($1, $2, $3, now_ms(), $4)
  on conflict (version_id) do update set chunks = excluded.chunks, of_chunks = excluded.of_chunks,
    sampled_at = case when excluded.sampled_at > term_samples.sampled_at then excluded.sampled_at else term_samples.sampled_at + 1 end, terms = excluded.terms`;

interface StateRow {
  readonly version_id: number;
  readonly chunks: number;
  readonly changed_at: number;
  readonly sampled: number | null;
  readonly of_chunks: number | null;
  readonly sampled_at: number | null;
  readonly age: number | null;
}

export function createTermSamples(engine: Engine): TermSamples {
  const { reader } = engine;
  return {
    async sampleStates() {
      const versions = await reader.all<StateRow>(selectVersions);
      const [library] = await reader.all<StateRow>(selectLibrary);
      const chunks = versions.reduce((sum, row) => sum + row.chunks, 0);
      const changedAt = versions.reduce((latest, row) => Math.max(latest, row.changed_at), 0);
      const whole = { ...(library ?? NO_SAMPLE), chunks, changed_at: changedAt };
      return [whole, ...versions].map(toState);
    },
    async samplePages(version, limit) {
      const rows = await reader.all<{ url_key: Uint8Array }>(selectPages, [version, limit]);
      return rows.map((row): IndexedPageKey => ({ version, key: hex(row.url_key) as UrlKey }));
    },
    async sample(version) {
      const [row] = await reader.all<{ chunks: number; terms: Uint8Array }>(selectSample, [version]);
      return row ?? null;
    },
    saveSample: (version, { chunks, terms }, ofChunks) =>
      engine.transaction(async (tx) => {
        const isStored = version === LIBRARY || (await lockSourceOf(tx, version));
        if (isStored) await tx.all(upsertSample, [version, chunks, ofChunks, terms]);
      }, 'later'),
  };
}

const NO_SAMPLE = { version_id: LIBRARY, sampled: null, of_chunks: null, sampled_at: null, age: null };

function toState(row: StateRow): SampleState {
  const { sampled, of_chunks: ofChunks, sampled_at: revision, age } = row;
  return {
    version: row.version_id as VersionId,
    chunks: row.chunks,
    isChanged: row.changed_at >= (revision ?? 0) || row.chunks !== ofChunks,
    sample:
      sampled === null || ofChunks === null || revision === null
        ? null
        : { chunks: sampled, ofChunks, ageMs: age ?? 0, revision },
  };
}
