// Vectors for an engine outside of the database: a queue of texts that is written with their vectors, and what is sent of them.

import type {
  NumberedPage,
  PageKey,
  PointRecords,
  QueuedText,
  VectorSpace,
} from '../../../core/lexical/points/point-records.ts';
import type { UrlKey } from '../../../core/model/page-url.ts';
import type { VersionId } from '../../../core/model/run.ts';
import { hashBytes, hashOf, hex } from '../engine/codec.ts';
import type { VectorParts } from '../engine/engine-parts.ts';
import { batch, singleStatement, type Engine, type Executor } from '../engine/engine.ts';
import { GENERATION_STATE, POINT_STATE } from '../engine/states.ts';

const queueText = batch(
  { content_hash: 'bytes' },
  `insert into point_texts (space_id, content_hash) select cast($1 as integer), r.content_hash from {rows} r
   where exists (select 1 from point_generations where state in (${GENERATION_STATE.building}, ${GENERATION_STATE.current})) on conflict do nothing`,
  ['int'],
);

/** In the transaction that stores the vectors. Does nothing unless an engine outside of the database is used. */
export async function queueVectors(tx: Executor, space: number, texts: readonly Uint8Array[]): Promise<void> {
  await tx.each(
    queueText,
    texts.map((hash) => [hash]),
    [space],
  );
}

/** A space is searched until the next one has its vectors. */
const HELD_SPACES = 2;
const selectSpaces = `select id, dimensions from spaces order by id desc limit ${HELD_SPACES}`;
const selectQueued = `select space_id, content_hash from point_texts order by space_id desc, content_hash limit $1`;
const dequeue = batch(
  { space_id: 'int', content_hash: 'bytes' },
  `delete from point_texts where (space_id, content_hash) in (select r.space_id, r.content_hash from {rows} r)`,
);
const selectPages = singleStatement(
  batch(
    { content_hash: 'bytes' },
    `select distinct chunks.version_id, chunks.url_key from {rows} r {then chunks where chunks.content_hash = r.content_hash}`,
  ),
);
const selectReserved = `select number, version_id, url_key, n_chunks, position from point_pages where generation_id = $1 and state <> ${POINT_STATE.current} and state = ${POINT_STATE.reserved}`;

interface KeyRow {
  readonly version_id: number;
  readonly url_key: Uint8Array;
}

interface NumberRow extends KeyRow {
  readonly number: number;
  readonly n_chunks: number;
  readonly position: number;
}

type VectorRecords = Pick<
  PointRecords,
  'spaces' | 'vectors' | 'queuedTexts' | 'dequeueTexts' | 'pagesWithTexts' | 'reserved'
>;

export function createVectorRecords(engine: Engine, vectors: Pick<VectorParts, 'read'>): VectorRecords {
  const { reader } = engine;
  return {
    spaces: () => reader.all<VectorSpace>(selectSpaces),
    vectors: async (space, texts) => new Map(await vectors.read(space, texts.map(hashBytes))),
    async queuedTexts(limit) {
      const rows = await reader.all<{ space_id: number; content_hash: Uint8Array }>(selectQueued, [limit]);
      return rows.map((row): QueuedText => ({ space: row.space_id, contentHash: hashOf(row.content_hash) }));
    },
    dequeueTexts: (texts) =>
      engine.transaction(
        async (tx) =>
          void (await tx.each(
            dequeue,
            texts.map(({ space, contentHash }) => [space, hashBytes(contentHash)]),
          )),
        'later',
      ),
    async pagesWithTexts(texts) {
      const rows = await reader.each<KeyRow>(
        selectPages,
        texts.map((hash) => [hashBytes(hash)]),
      );
      return rows.map(toPageKey);
    },
    async reserved(generation) {
      const rows = await reader.all<NumberRow>(selectReserved, [generation]);
      return rows.map(({ number, n_chunks: chunks, position, ...row }): NumberedPage => {
        return { ...toPageKey(row), number, chunks, position };
      });
    },
  };
}

function toPageKey(row: KeyRow): PageKey {
  return { version: row.version_id as VersionId, key: hex(row.url_key) as UrlKey };
}
