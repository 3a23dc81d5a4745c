// Removes a source in steps, each its own transaction: first it becomes invisible, then its rows go in pieces, last the
// source itself. A kill between two steps leaves a source that `finishRemovals` ends.

import type { EngineParts } from '../engine/engine-parts.ts';
import { batch, type Engine, type Executor } from '../engine/engine.ts';
import { dropSearch, GIVE_UP_SEGMENTS } from '../search/index-queue.ts';

/** Short enough that a server, which removes on the loop that answers, goes on answering. */
const PIECE = 100;

/** The name is given back at once, so that the same source can be added again while its old rows go. */
const hide = `update sources set removed_at = now_ms(), name = name || ' removed ' || cast(id as text) where id = $1 and removed_at is null`;
const endRuns = `update runs set state = 'stopped', reason = 'source removed', ended_at = now_ms(), worker = null, lease_until = null, fence = fence + 1
  where source_id = $1 and ended_at is null`;
/** Claimed rows are few and stand in an index of their own; without a claim, what a worker settles late is superseded. */
const takeBackClaims = `update frontier set state = 0, worker = null, wake_at = null
  where wake_at is not null and run_id in (select id from runs where source_id = $1)`;
const hidden = `select id from sources where removed_at is not null order by id`;
const versionsOf = `select id from versions where source_id = $1`;

const pieceOfPages = `select url_key from pages where version_id = $1 limit ${PIECE}`;
const chunksOf = batch(
  { url_key: 'bytes' },
  `delete from chunks where version_id = $1 and url_key in (select r.url_key from {rows} r) returning content_hash`,
  ['int'],
);
const dropPages = batch(
  { url_key: 'bytes' },
  `delete from pages where version_id = $1 and url_key in (select r.url_key from {rows} r)`,
  ['int'],
);
const unusedTexts = ['vectors', 'embeddings'].map((table) =>
  batch(
    { content_hash: 'bytes' },
    `delete from ${table} where content_hash in (select r.content_hash from {rows} r where not exists (select 1 from chunks where chunks.content_hash = r.content_hash))`,
  ),
);
const pieceOfFrontier = `select url_key from frontier where version_id = $1 limit ${PIECE * 10}`;
const dropFrontier = batch(
  { url_key: 'bytes' },
  `delete from frontier where version_id = $1 and url_key in (select r.url_key from {rows} r)`,
  ['int'],
);

const dropRest = [
  GIVE_UP_SEGMENTS,
  `delete from events where source_id = $1`,
  `delete from problems where source_id = $1`,
  `delete from milestones where source_id = $1`,
  `delete from lanes where run_id in (select id from runs where source_id = $1)`,
  `delete from runs where source_id = $1`,
  `delete from discovery_files where version_id in (select id from versions where source_id = $1)`,
  `delete from versions where source_id = $1`,
  `delete from sources where id = $1`,
];

export async function removeSource(engine: Engine, parts: EngineParts, source: number): Promise<void> {
  await engine.transaction(async (tx) => {
    await tx.all(hide, [source]);
    await tx.all(endRuns, [source]);
    await tx.all(takeBackClaims, [source]);
  });
  await removeRows(engine, parts, source);
}

export async function finishRemovals(engine: Engine, parts: EngineParts): Promise<void> {
  for (const { id } of await engine.reader.all<{ id: number }>(hidden)) await removeRows(engine, parts, id);
}

async function removeRows(engine: Engine, parts: EngineParts, source: number): Promise<void> {
  for (const { id } of await engine.reader.all<{ id: number }>(versionsOf, [source])) {
    while (await engine.transaction((tx) => removePieceOfPages(tx, parts, id)));
    while (await engine.transaction((tx) => removePieceOfFrontier(tx, id)));
  }
  await engine.transaction(async (tx) => {
    for (const statement of dropRest) await tx.all(statement, [source]);
  });
}

async function removePieceOfPages(tx: Executor, parts: EngineParts, version: number): Promise<boolean> {
  const keys = (await tx.all<{ url_key: Uint8Array }>(pieceOfPages, [version])).map((row) => [row.url_key] as const);
  if (keys.length === 0) return false;
  await parts.lockTexts(tx);
  const chunks = await tx.each<{ content_hash: Uint8Array }>(chunksOf, keys, [version]);
  for (const statement of unusedTexts)
    await tx.each(
      statement,
      chunks.map((row) => [row.content_hash]),
    );
  await dropSearch(
    tx,
    version,
    keys.map(([key]) => key),
  );
  await tx.each(dropPages, keys, [version]);
  return true;
}

async function removePieceOfFrontier(tx: Executor, version: number): Promise<boolean> {
  const keys = (await tx.all<{ url_key: Uint8Array }>(pieceOfFrontier, [version])).map((row) => [row.url_key]);
  await tx.each(dropFrontier, keys, [version]);
  return keys.length > 0;
}
