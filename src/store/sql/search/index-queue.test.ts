import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../../../test/support/temporary-folder.ts';
import { now } from '../../../platform/clock.ts';
import { migrateSqlite } from '../../sqlite/migrate-sqlite.ts';
import { openSqliteEngine } from '../../sqlite/sqlite-engine.ts';
import { createWriteLock } from '../../sqlite/write-lock.ts';
import { SEGMENT_STATE } from '../engine/states.ts';
import { createOutdatedQueue } from './index-queue.ts';

const MINUTE_MS = 60_000;
const INSERT_SEGMENT = `insert into search_segments (id, version_id, state, chunks, pages, live, page_sizes, index_fingerprint)
  values ($1, 1, ${SEGMENT_STATE.searchable}, 1, 1, 1, x'01', $2)`;
const INSERT_PAGE = `insert into search_pages (version_id, url_key, segment_id, page_index) values (1, $1, $2, 0)`;
const SELECT_QUEUED = `select hash_hex(url_key) as page from index_queue order by url_key`;

test('pages that an older process indexes after the others were queued are found again', async () => {
  const file = join(temporaryDirectory(), 'pinakes.db');
  migrateSqlite(file);
  const engine = openSqliteEngine(file, { now, writeLock: createWriteLock(), servesRequests: false });
  onTestFinished(() => engine.close());
  let nowMs = 0;
  const queue = createOutdatedQueue(engine, 'new', () => nowMs);
  const addSegment = async (id: number, fingerprint: string): Promise<void> => {
    await engine.writer.all(INSERT_SEGMENT, [id, fingerprint]);
    await engine.writer.all(INSERT_PAGE, [Uint8Array.of(id), id]);
  };
  const queueAll = async (): Promise<readonly unknown[]> => {
    for (let steps = 0; steps < 5; steps += 1) await queue.queueSome();
    return engine.reader.all(SELECT_QUEUED);
  };

  const indexQueued = async (segment: number): Promise<void> => {
    await engine.writer.all('delete from index_queue');
    await engine.writer.all(`update search_segments set state = ${SEGMENT_STATE.dropped} where id = $1`, [segment]);
  };

  await addSegment(1, 'old');
  await addSegment(5, 'new');
  expect(await queueAll()).toEqual([{ page: '01' }]);
  await indexQueued(1);

  await addSegment(6, 'old');
  await addSegment(7, 'new');
  nowMs += MINUTE_MS;
  expect(await queueAll()).toEqual([]);
  nowMs += 10 * MINUTE_MS;
  expect(await queueAll()).toEqual([{ page: '06' }]);
  await indexQueued(6);

  // It was being filled when those after it were looked at.
  await addSegment(4, 'old');
  nowMs += 11 * MINUTE_MS;
  await queueAll();
  nowMs += 11 * MINUTE_MS;
  expect(await queueAll()).toEqual([{ page: '04' }]);
});
