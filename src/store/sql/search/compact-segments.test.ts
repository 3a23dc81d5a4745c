import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../../../test/support/temporary-folder.ts';
import { pinakesError } from '../../../core/model/errors.ts';
import { now } from '../../../platform/clock.ts';
import { migrateSqlite } from '../../sqlite/migrate-sqlite.ts';
import { openSqliteEngine } from '../../sqlite/sqlite-engine.ts';
import { createWriteLock } from '../../sqlite/write-lock.ts';
import type { Executor } from '../engine/engine.ts';
import { SEGMENT_STATE } from '../engine/states.ts';
import { createCompaction } from './compact-segments.ts';

const INSERT_EMPTY = `insert into search_segments (version_id, state, chunks, pages, live, page_sizes, index_fingerprint)
  values ($1, ${SEGMENT_STATE.searchable}, 1, 1, 0, x'01', 'x')`;
const READ_OF_VERSION = 'from search_segments where version_id =';

test('segments of a version that could not be read are merged when the database answers', async () => {
  const file = join(temporaryDirectory(), 'pinakes.db');
  migrateSqlite(file);
  const engine = openSqliteEngine(file, { now, writeLock: createWriteLock(), servesRequests: false });
  onTestFinished(() => engine.close());
  let failures = 0;
  const read: Executor = {
    ...engine.reader,
    async all(sql, values) {
      if (failures > 0 && sql.includes(READ_OF_VERSION)) {
        failures -= 1;
        throw pinakesError('database.unreachable', { reason: 'no answer' });
      }
      return engine.reader.all(sql, values);
    },
  };
  const steps = {
    read,
    write: <T>(work: (tx: Executor) => Promise<T>) => engine.transaction(work, 'later'),
    forUpdate: '',
  };
  const compaction = createCompaction();
  await engine.writer.all(INSERT_EMPTY, [1]);
  failures = 1;
  await expect(compaction.step(steps)).rejects.toMatchObject({ code: 'database.unreachable' });

  while (await compaction.step(steps));
  expect(await engine.reader.all('select id from search_segments')).toEqual([]);

  // Another one is indexed, and the answer to its commit gets lost.
  await engine.writer.all(INSERT_EMPTY, [2]);
  compaction.addAll();
  while (await compaction.step(steps));
  expect(await engine.reader.all('select id from search_segments')).toEqual([]);
});
