// Removes a source in steps, each in a transaction: first it becomes invisible, then its rows are deleted in batches, last the
// source itself. After a kill between two steps `finishRemovals` completes it.

import type { EngineParts } from '../engine/engine-parts.ts';
import { batch, type Engine, type Executor } from '../engine/engine.ts';
import { URL_STATE } from '../engine/states.ts';
import { DROP_SEGMENTS, removeFromIndex } from '../search/index-queue.ts';

/** Small enough that a server, which removes sources on the thread that serves requests, stays responsive. */
const BATCH_SIZE = 100;

/** The name becomes free immediately, so that the same source can be added again while its old rows are deleted. */
const hide = `update sources set removed_at = now_ms(), name = name || ' removed ' || cast(id as text) where id = $1 and removed_at is null`;
const endRuns = `update runs set state = 'stopped', reason = 'source removed', ended_at = now_ms(), worker = null, lease_until = null, fence = fence + 1
  where source_id = $1 and ended_at is null`;
/** Claimed rows are few and have their own index; without a claim, a late settlement is superseded. */
const releaseClaims = `update frontier set state = ${URL_STATE.queued}, worker = null, due_at = null
  where due_at is not null and run_id in (select id from runs where source_id = $1)`;
const selectHidden = `select id from sources where removed_at is not null order by id`;
const selectVersions = `select id from versions where source_id = $1`;

const selectPages = `select url_key from pages where version_id = $1 limit ${BATCH_SIZE}`;
const deleteChunks = batch(
  { url_key: 'bytes' },
  `delete from chunks where version_id = $1 and url_key in (select r.url_key from {rows} r) returning content_hash`,
  ['int'],
);
const deletePages = batch(
  { url_key: 'bytes' },
  `delete from pages where version_id = $1 and url_key in (select r.url_key from {rows} r)`,
  ['int'],
);
const deleteUnusedTexts = ['vectors', 'embeddings'].map((table) =>
  batch(
    { content_hash: 'bytes' },
    `delete from ${table} where content_hash in (select r.content_hash from {rows} r where not exists (select 1 from chunks where chunks.content_hash = r.content_hash))`,
  ),
);
const selectFrontier = `select url_key from frontier where version_id = $1 limit ${BATCH_SIZE * 10}`;
const deleteFrontier = batch(
  { url_key: 'bytes' },
  `delete from frontier where version_id = $1 and url_key in (select r.url_key from {rows} r)`,
  ['int'],
);

const DELETE_REST = [
  DROP_SEGMENTS,
  `delete from events where source_id = $1`,
  `delete from problems where source_id = $1`,
  `delete from milestones where source_id = $1`,
  `delete from host_queues where run_id in (select id from runs where source_id = $1)`,
  `delete from runs where source_id = $1`,
  `delete from discovery_files where version_id in (select id from versions where source_id = $1)`,
  `delete from version_counts where version_id in (select id from versions where source_id = $1)`,
  `delete from versions where source_id = $1`,
  `delete from sources where id = $1`,
];

export async function removeSource(engine: Engine, parts: EngineParts, source: number): Promise<void> {
  await engine.transaction(async (tx) => {
    await tx.all(hide, [source]);
    await tx.all(endRuns, [source]);
    await tx.all(releaseClaims, [source]);
  });
  await removeRows(engine, parts, source);
}

export async function finishRemovals(engine: Engine, parts: EngineParts): Promise<void> {
  for (const { id } of await engine.reader.all<{ id: number }>(selectHidden)) await removeRows(engine, parts, id);
}

async function removeRows(engine: Engine, parts: EngineParts, source: number): Promise<void> {
  for (const { id } of await engine.reader.all<{ id: number }>(selectVersions, [source])) {
    while (await engine.transaction((tx) => removePageBatch(tx, parts, id)));
    while (await engine.transaction((tx) => removeFrontierBatch(tx, id)));
  }
  await engine.transaction(async (tx) => {
    for (const statement of DELETE_REST) await tx.all(statement, [source]);
  });
}

async function removePageBatch(tx: Executor, parts: EngineParts, version: number): Promise<boolean> {
  const keys = (await tx.all<{ url_key: Uint8Array }>(selectPages, [version])).map((row) => [row.url_key] as const);
  if (keys.length === 0) return false;
  await parts.lockChunkTexts(tx);
  const chunks = await tx.each<{ content_hash: Uint8Array }>(deleteChunks, keys, [version]);
  for (const statement of deleteUnusedTexts)
    await tx.each(
      statement,
      chunks.map((row) => [row.content_hash]),
    );
  await removeFromIndex(
    tx,
    version,
    keys.map(([key]) => key),
  );
  await tx.each(deletePages, keys, [version]);
  return true;
}

async function removeFrontierBatch(tx: Executor, version: number): Promise<boolean> {
  const keys = (await tx.all<{ url_key: Uint8Array }>(selectFrontier, [version])).map((row) => [row.url_key]);
  await tx.each(deleteFrontier, keys, [version]);
  return keys.length > 0;
}
