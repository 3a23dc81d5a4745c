// node bench/store/remove-source.ts [CHUNKS] [EVENTS]: how long each step of the removal of a source holds the SQLite writer, in a
// library with a vector for every chunk. The rows are synthetic: 20 chunks per page, 100 runs, vectors of 384 dimensions.

import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SourceId } from '../../src/core/model/run.ts';
import type { Engine } from '../../src/store/sql/engine/engine.ts';
import { createSqlStore } from '../../src/store/sql/create-sql-store.ts';
import { migrateSqlite } from '../../src/store/sqlite/migrate-sqlite.ts';
import { sqliteParts } from '../../src/store/sqlite/open-sqlite-store.ts';
import { openSqliteEngine } from '../../src/store/sqlite/sqlite-engine.ts';
import { createWriteLock } from '../../src/store/sqlite/write-lock.ts';
import { writeResult } from '../support/write-result.ts';

const chunks = Number(process.argv[2] ?? 100_000);
const events = Number(process.argv[3] ?? 1_000_000);
const CHUNKS_PER_PAGE = 20;
const RUNS = 100;
const DIMENSIONS = 384;
const MAX_STEP_MS = 200;

const directory = mkdtempSync(join(tmpdir(), 'pinakes-remove-'));
const file = join(directory, 'pinakes.db');
migrateSqlite(file);
fill();
const bytes = statSync(file).size;

const steps: number[] = [];
const processorMs: number[] = [];
const engine = openSqliteEngine(file, { now: Date.now, writeLock: createWriteLock(), servesRequests: true });
const timed: Engine = {
  ...engine,
  transaction: async (work, flush) => {
    const started = performance.now();
    const before = process.cpuUsage();
    const result = await engine.transaction(work, flush);
    steps.push(performance.now() - started);
    const { user, system } = process.cpuUsage(before);
    processorMs.push((user + system) / 1000);
    return result;
  },
};
const store = createSqlStore(timed, sqliteParts(engine), { startDelayMs: 0, maxAttempts: 8 });
const started = performance.now();
await store.sources.remove(1 as SourceId);
const seconds = (performance.now() - started) / 1000;
await store.close();
rmSync(directory, { recursive: true });

function spread(values: readonly number[]): Record<'p50' | 'p95' | 'max', number> {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => Number((sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(1));
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

writeResult('remove-source', {
  chunks,
  vectors: chunks,
  events,
  megabytes: Math.round(bytes / 1e6),
  seconds: Number(seconds.toFixed(1)),
  steps: steps.length,
  // The CPU time is that of the step wherever the machine does other work as well.
  stepMs: spread(steps),
  stepProcessorMs: spread(processorMs),
  bar: MAX_STEP_MS,
});
process.exitCode = spread(steps).max <= MAX_STEP_MS ? 0 : 1;

function fill(): void {
  const database = new DatabaseSync(file);
  const pages = Math.ceil(chunks / CHUNKS_PER_PAGE);
  const numbers = (n: number): string =>
    `with recursive n (i) as (select 0 union all select i + 1 from n where i + 1 < ${n})`;
  const key = (number: string): string => `unhex(printf('%032x', (${number}) * 2654435761))`;
  const hash = (number: string): string => `unhex(printf('%064x', (${number}) * 2654435761))`;
  database.exec(`pragma synchronous = off; begin;
    insert into sources (id, name, kind, start_url, settings, created_at) values (1, 'large', 'web', 'https://x.dev/', '{}', 1);
    insert into versions (id, source_id, label, site_profile, created_at) values (1, 1, '', '{}', 1);
    ${numbers(RUNS)} insert into runs (id, source_id, version_id, state, mode, settings, created_at, ended_at) select i + 1, 1, 1, 'completed', 'incremental', '{}', 1, 2 from n;
    insert into spaces (id, fingerprint, settings, dimensions, created_at) values (1, 'synthetic', '{}', ${DIMENSIONS}, 1);
    ${numbers(pages)} insert into frontier (version_id, url_key, run_id, host_id, url, depth, priority, found_by, state, outcome, enqueued_at, settled_at)
      select 1, ${key('i')}, ${RUNS}, 1, 'https://x.dev/' || i, 1, 1, 1, 3, 1, 1, 1 from n;
    ${numbers(pages)} insert into pages (version_id, url_key, url, title, media_type, content_hash, chunk_digest, n_chunks, pipeline_version, metadata, fence, changed_at, checked_at)
      select 1, ${key('i')}, 'https://x.dev/' || i, 'A page', 'text/html', ${hash('i')}, ${hash('i')}, ${CHUNKS_PER_PAGE}, 't', '{}', 1, 1, 1 from n;
    ${numbers(pages)} insert into documents (version_id, url_key, text, outline, response_meta) select 1, ${key('i')}, printf('%.*c', 12000, 'x'), '[]', '{}' from n;
    ${numbers(pages)} insert into bodies (version_id, url_key, encoding, bytes) select 1, ${key('i')}, 'gzip', randomblob(8000) from n;
    ${numbers(chunks)} insert into chunks (version_id, url_key, ordinal, chunk_id, content_hash, passage_kind, headings, text, first_line, last_line, tokens)
      select 1, ${key(`i / ${CHUNKS_PER_PAGE}`)}, i % ${CHUNKS_PER_PAGE}, ${hash('i')}, ${hash('i')}, 'prose', '[]', printf('%.*c', 600, 'x'), 1, 1, 1 from n;
    insert into embeddings (space_id, content_hash, state) select 1, content_hash, 2 from chunks order by content_hash;
    insert into vectors (space_id, content_hash, vector) select 1, content_hash, randomblob(${DIMENSIONS * 4}) from chunks;
    ${numbers(events)} insert into events (seq, at, source_id, run_id, kind, url, detail) select i + 1, 1, 1, 1 + i % ${RUNS}, 'page-unchanged', 'https://x.dev/' || i % ${pages}, '{}' from n;
    update event_head set last = ${events};
    commit; pragma journal_mode = wal; pragma wal_checkpoint(truncate)`);
  database.close();
  // Otherwise the first checkpoint of the removal waits until all of this is on the disk.
  const written = openSync(file, 'r+');
  fsyncSync(written);
  closeSync(written);
}
