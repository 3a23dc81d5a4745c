// Keeps the embedding queue in step with the chunk texts: while a chunk has a text, the text is pending, embedded or failed in
// every space; its vectors are deleted with its last chunk.
//
// A transaction that adds a text may run while another one removes the last other chunk with it, and neither sees the chunks of
// the other. So each locks the rows of its own texts: adders share them, a remover has them alone and only then looks for chunks.

import { hashBytes } from '../engine/codec.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import { batch, keyed, singleStatement, type Batch, type Executor } from '../engine/engine.ts';
import { EMBEDDING_STATE } from '../engine/states.ts';

export interface AddedText {
  readonly version: number;
  readonly contentHash: string;
}

const selectSpaceIds = `select id from spaces order by id`;

/** In every space. A text that is queued already stays as it is. */
const insertPending = singleStatement(
  batch(
    { content_hash: 'bytes' },
    `insert into embeddings (space_id, content_hash, state, due_at)
     select spaces.id, r.content_hash, ${EMBEDDING_STATE.pending}, 0 from spaces, {rows} r where true order by r.content_hash
     on conflict do nothing returning space_id`,
  ),
);

/**
 * The vector that a bundle carried serves the version of the bundle only: another one would have to trust it. Found by the index
 * of such texts, so a library without imported vectors pays next to nothing.
 */
const selectCarried = singleStatement(
  batch(
    { content_hash: 'bytes', version_id: 'int' },
    `select distinct e.space_id, e.content_hash from {rows} r
     {then embeddings e where e.carried_by is not null and e.content_hash = r.content_hash and e.carried_by <> r.version_id}`,
  ),
);

const embedAgain = keyed(
  'embeddings',
  ['space_id', 'content_hash'],
  batch(
    { space_id: 'int', content_hash: 'bytes' },
    `update embeddings set state = ${EMBEDDING_STATE.pending}, fence = fence + 1, attempts = 0, due_at = 0, carried_by = null
     from {rows} r where embeddings.space_id = r.space_id and embeddings.content_hash = r.content_hash and embeddings.carried_by is not null`,
  ),
);

/** One lookup per text, whatever the planner knows about the table: `limit` keeps the subquery from becoming a join. */
const selectUnused = singleStatement(
  batch(
    { content_hash: 'bytes' },
    `select r.content_hash from {rows} r where (select 1 from chunks where chunks.content_hash = r.content_hash limit 1) is null`,
  ),
);

/** By space and text, which is the key of both tables: by text alone every row would be read. */
const deleteFrom = (table: 'vectors' | 'embeddings'): Batch =>
  singleStatement(
    batch(
      { content_hash: 'bytes' },
      `delete from ${table} where space_id = $1 and content_hash in (select r.content_hash from {rows} r)`,
      ['int'],
    ),
  );
const deleteVectors = deleteFrom('vectors');
const deleteEmbeddings = deleteFrom('embeddings');

/** Before the chunks are written: a space that is opened in the meantime waits, and then finds their texts. */
export async function queueTexts(tx: Executor, parts: EngineParts, added: readonly AddedText[]): Promise<void> {
  await parts.textLocks.holdSpaces(tx);
  const spaces = await tx.all<{ id: number }>(selectSpaceIds);
  if (spaces.length === 0 || added.length === 0) return;
  const texts = hashRows(added.map(({ contentHash }) => contentHash));
  let inserted = 0;
  const insert = async (): Promise<number> => {
    const rows = await tx.each(insertPending, texts);
    inserted += rows.length;
    return rows.length;
  };
  await parts.textLocks.addTexts(
    tx,
    texts.map(([hash]) => hash),
    spaces.length,
    insert,
  );
  const outdated = await distrustCarried(tx, added);
  if (inserted + outdated > 0) parts.announcer.announce('texts');
}

/** Returns how many are to be embedded again. */
async function distrustCarried(tx: Executor, added: readonly AddedText[]): Promise<number> {
  const carried = await tx.each<{ space_id: number; content_hash: Uint8Array }>(
    selectCarried,
    added.map(({ contentHash, version }) => [hashBytes(contentHash), version]),
  );
  if (carried.length === 0) return 0;
  const changed = await tx.changed(
    embedAgain,
    carried.map((row) => [row.space_id, row.content_hash]),
  );
  const outdated = Map.groupBy(
    carried.filter((_, at) => changed[at]),
    (row) => row.space_id,
  );
  for (const [space, rows] of outdated)
    await tx.each(
      deleteVectors,
      rows.map((row) => [row.content_hash]),
      [space],
    );
  return carried.length;
}

/** After their chunks were deleted: deletes what is stored about those texts that no chunk has any more. */
export async function dropUnusedTexts(tx: Executor, parts: EngineParts, hashes: readonly string[]): Promise<void> {
  const texts = hashRows(hashes);
  if (texts.length === 0) return;
  const spaces = await tx.all<{ id: number }>(selectSpaceIds);
  if (spaces.length === 0) return;
  const locked = await parts.textLocks.lockTexts(
    tx,
    texts.map(([hash]) => hash),
  );
  if (locked === 0) return;
  const unused = await tx.each<{ content_hash: Uint8Array }>(selectUnused, texts);
  const keys = unused.map((row) => [row.content_hash]);
  for (const { id } of spaces) {
    await tx.each(deleteVectors, keys, [id]);
    await tx.each(deleteEmbeddings, keys, [id]);
  }
}

/** Each once, in one order for all transactions, so that they do not wait for each other in a circle. */
function hashRows(hashes: readonly string[]): Array<[Uint8Array]> {
  return [...new Set(hashes)].sort().map((hash) => [hashBytes(hash)]);
}
