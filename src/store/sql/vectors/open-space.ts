// Opens an embedding space: it is created in a short transaction, and from then on every new text is queued in it. The texts that
// the library already has are queued in steps, by the order of the chunks, so that no statement grows with the library.

import type { SpaceStats } from '../../port.ts';
import type { JsonObject } from '../../port/json.ts';
import type { StoredSpace, SpaceId, SpaceProgress } from '../../port/vectors.ts';
import { jsonText } from '../engine/codec.ts';
import type { EngineParts } from '../engine/engine-parts.ts';
import type { Engine, Executor } from '../engine/engine.ts';
import { EMBEDDING_STATE } from '../engine/states.ts';

/** Chunks per step: some 100 ms of a SQLite writer. */
const STEP_CHUNKS = 5000;

const SPACE = `select id, fingerprint, dimensions from spaces`;
export const FIND_SPACE = `${SPACE} where fingerprint = $1`;
export const ALL_SPACES = `${SPACE} order by fingerprint`;
const insertSpace = `insert into spaces (fingerprint, settings, dimensions, created_at, queued_pk) values ($1, $2, $3, now_ms(), 0) on conflict do nothing returning id`;

const selectPosition = (forClaim: string): string =>
  `select queued_pk from spaces where id = $1 and queued_pk is not null ${forClaim}`;
const selectStep = `select count(*) as n, max(pk) as last from (select pk from chunks where pk > $1 order by pk limit ${STEP_CHUNKS}) step`;
const queueStep = `insert into embeddings (space_id, content_hash, state, due_at)
  select distinct cast($1 as integer), content_hash, ${EMBEDDING_STATE.pending}, 0 from chunks where pk > $2 and pk <= $3 order by content_hash on conflict do nothing`;
const savePosition = `update spaces set queued_pk = $2 where id = $1`;

interface SpaceDefinition {
  readonly dimensions: number;
  readonly settings: JsonObject;
}

export async function openSpace(
  engine: Engine,
  parts: EngineParts,
  fingerprint: string,
  definition: SpaceDefinition,
): Promise<StoredSpace> {
  const [known] = await engine.reader.all<StoredSpace>(FIND_SPACE, [fingerprint]);
  const space = known ?? (await createSpace(engine, parts, fingerprint, definition));
  await parts.vectors.onSpaceOpened(space);
  await queueNextTexts(engine, parts, space.id);
  return space;
}

/** Waits for the settlements that did not see the space; the chunks of all later ones are queued by themselves. */
function createSpace(
  engine: Engine,
  parts: EngineParts,
  fingerprint: string,
  { dimensions, settings }: SpaceDefinition,
): Promise<StoredSpace> {
  return engine.transaction(async (tx) => {
    await parts.textLocks.lockSpaces(tx);
    await tx.all(insertSpace, [fingerprint, jsonText(settings), dimensions]);
    const [found] = await tx.all<StoredSpace>(FIND_SPACE, [fingerprint]);
    if (found === undefined) throw new Error(`space ${fingerprint} was not stored`);
    return found;
  });
}

/**
 * Queues the texts of the next chunks in a space that was opened over a library. Returns false if all are queued, or if another
 * process is queueing them. A text whose last chunk is removed in the meantime is dropped when it is claimed.
 */
export async function queueNextTexts(engine: Engine, parts: EngineParts, space: SpaceId): Promise<boolean> {
  if ((await engine.reader.all(selectPosition(''), [space])).length === 0) return false;
  return engine.transaction(async (tx) => {
    const [position] = await tx.all<{ queued_pk: number }>(selectPosition(parts.textLocks.forClaim), [space]);
    if (position === undefined) return false;
    await parts.textLocks.holdSpaces(tx);
    const [step] = await tx.all<{ n: number; last: number | null }>(selectStep, [position.queued_pk]);
    const last = step?.last ?? null;
    if (last !== null) await tx.all(queueStep, [space, position.queued_pk, last]);
    const isLast = (step?.n ?? 0) < STEP_CHUNKS;
    await tx.all(savePosition, [space, isLast ? null : last]);
    return true;
  }, 'later');
}

/** Counted as they are written. Chunks whose texts are not queued yet count as pending. */
const selectProgress = `select s.fingerprint, s.dimensions, s.queued_pk, case when s.queued_pk is null then 0 else (select coalesce(max(pk), 0) from chunks) end as last_pk,
    cast(coalesce(sum(c.pending), 0) as bigint) as pending, cast(coalesce(sum(c.embedded), 0) as bigint) as embedded, cast(coalesce(sum(c.failed), 0) as bigint) as failed
  from spaces s left join space_counts c on c.space_id = s.id where $1 in (0, s.id) group by s.id, s.fingerprint, s.dimensions, s.queued_pk order by s.id`;

interface ProgressRow extends SpaceStats {
  readonly queued_pk: number | null;
  readonly last_pk: number;
}

export async function spaceProgress(reader: Executor, space: SpaceId): Promise<SpaceProgress> {
  const [stats] = await readProgress(reader, space);
  const { pending = 0, embedded = 0, failed = 0 } = stats ?? {};
  return { pending, embedded, failed };
}

export function progressOfAll(reader: Executor): Promise<readonly SpaceStats[]> {
  return readProgress(reader, 0);
}

async function readProgress(reader: Executor, space: number): Promise<SpaceStats[]> {
  const rows = await reader.all<ProgressRow>(selectProgress, [space]);
  return rows.map(({ queued_pk, last_pk, ...stats }) => {
    const unqueued = queued_pk === null ? 0 : Math.max(0, last_pk - queued_pk);
    return { ...stats, pending: stats.pending + unqueued };
  });
}
