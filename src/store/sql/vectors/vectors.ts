// Vectors by space and text: a queue of pending texts, which are claimed and fenced like URLs, and the search for the nearest.

import type { Sha256 } from '../../../core/model/hash.ts';
import type {
  EmbeddingClaim,
  EmbeddingSettlement,
  NearestChunk,
  Space,
  SpaceId,
  SpaceProgress,
  Vectors,
} from '../../port.ts';
import { hashBytes, hashOf, jsonText, vectorBytes, vectorOf } from '../engine/codec.ts';
import type { EngineParts, VectorParts, WrittenVector } from '../engine/engine-parts.ts';
import { batch, keyed, singleStatement, type Engine, type Executor } from '../engine/engine.ts';
import { EMBEDDING_STATE, UNEMBEDDED_STATES_SQL } from '../engine/states.ts';
import { JOIN_PAGE, POSITIONED_COLUMNS, toFoundChunk, type PositionedRow } from '../search/resolve-positions.ts';

const insertSpace = `insert into spaces (fingerprint, settings, dimensions, created_at) values ($1, $2, $3, now_ms()) on conflict do nothing returning id`;
const findSpace = `select id, fingerprint, dimensions from spaces where fingerprint = $1`;
const allSpaces = `select id, fingerprint, dimensions from spaces order by fingerprint`;
const requestAll = `insert into embeddings (space_id, content_hash, state, due_at) select distinct cast($1 as integer), content_hash, ${EMBEDDING_STATE.pending}, 0 from chunks where true on conflict do nothing`;

const selectDue = `select content_hash from embeddings where space_id = $1 and state in ${UNEMBEDDED_STATES_SQL} and due_at <= now_ms() order by due_at limit $2`;

/** Conditional, so that two workers that saw the same due texts do not both claim them. */
const claimTexts = batch(
  { content_hash: 'bytes' },
  `update embeddings set state = ${EMBEDDING_STATE.claimed}, worker = $2, fence = fence + 1, attempts = attempts + 1, due_at = now_ms() + $3
   from {rows} r where embeddings.space_id = $1 and embeddings.content_hash = r.content_hash and embeddings.state in ${UNEMBEDDED_STATES_SQL} and embeddings.due_at <= now_ms()
   returning embeddings.content_hash, fence, attempts`,
  ['int', 'text', 'int'],
);

/** A text under different headings gets none: its vector must not depend on which chunk came first. */
const selectTexts = batch(
  { content_hash: 'bytes' },
  `select chunks.content_hash, min(chunks.text) as text, case when min(chunks.headings) = max(chunks.headings) then min(chunks.headings) else '[]' end as headings
   from chunks, {rows} r where chunks.content_hash = r.content_hash group by chunks.content_hash`,
);

const settleTexts = keyed(
  'embeddings',
  ['content_hash', 'fence'],
  batch(
    { content_hash: 'bytes', fence: 'int', state: 'int', untried: 'int', wait_ms: 'int', reason: 'text' },
    `update embeddings set state = r.state, worker = null, attempts = embeddings.attempts - r.untried, due_at = case when r.state = ${EMBEDDING_STATE.pending} then now_ms() + r.wait_ms end, reason = r.reason
     from {rows} r where embeddings.space_id = $1 and embeddings.content_hash = r.content_hash and embeddings.fence = r.fence and embeddings.state = ${EMBEDDING_STATE.claimed}`,
    ['int'],
  ),
);

const acceptImported = keyed(
  'embeddings',
  ['content_hash'],
  batch(
    { content_hash: 'bytes' },
    `update embeddings set state = ${EMBEDDING_STATE.embedded}, worker = null, fence = fence + 1, due_at = null, reason = null
     from {rows} r where embeddings.space_id = $1 and embeddings.content_hash = r.content_hash and embeddings.state <> ${EMBEDDING_STATE.embedded}
       and exists (select 1 from chunks where chunks.content_hash = r.content_hash and chunks.version_id = $2)`,
    ['int', 'int'],
  ),
);

const insertVectors = batch(
  { content_hash: 'bytes', vector: 'bytes' },
  `insert into vectors (space_id, content_hash, vector) select cast($1 as integer), r.content_hash, r.vector from {rows} r where true
   on conflict (space_id, content_hash) do update set vector = excluded.vector`,
  ['int'],
);

const selectVectors = batch(
  { content_hash: 'bytes' },
  `select vectors.content_hash, vector from vectors, {rows} r where vectors.content_hash = r.content_hash and space_id = $1`,
  ['int'],
);

const selectProgress = `select coalesce(sum(case when state in ${UNEMBEDDED_STATES_SQL} then 1 else 0 end), 0) as pending, coalesce(sum(case when state = ${EMBEDDING_STATE.embedded} then 1 else 0 end), 0) as embedded,
  coalesce(sum(case when state = ${EMBEDDING_STATE.failed} then 1 else 0 end), 0) as failed from embeddings where space_id = $1`;

interface ClaimedText {
  readonly content_hash: Uint8Array;
  readonly fence: number;
  readonly attempts: number;
}

interface TextRow {
  readonly content_hash: Uint8Array;
  readonly text: string;
  readonly headings: string;
}

export function createVectors(engine: Engine, parts: EngineParts): Vectors {
  return {
    async openSpace(fingerprint, dimensions, settings) {
      const space = await engine.transaction(async (tx) => {
        const added = await tx.all<{ id: number }>(insertSpace, [fingerprint, jsonText(settings), dimensions]);
        const [found] = await tx.all<Space>(findSpace, [fingerprint]);
        if (found === undefined) throw new Error(`space ${fingerprint} was not stored`);
        if (added.length > 0) {
          await parts.lockChunkTexts(tx);
          await tx.all(requestAll, [found.id]);
        }
        return found;
      });
      await parts.vectors.onSpaceOpened(space);
      return space;
    },

    spaces: () => engine.reader.all<Space>(allSpaces),

    async findSpace(fingerprint) {
      const [space] = await engine.reader.all<Space>(findSpace, [fingerprint]);
      return space ?? null;
    },

    requireSearch: () => parts.vectors.requireSupport(),

    claim: (space, worker, limit, leaseMs) =>
      engine.transaction(async (tx) => {
        const texts = await tx.all<{ content_hash: Uint8Array }>(selectDue, [space, limit]);
        const keys = texts.map((row) => [row.content_hash]);
        const claimed = await tx.each<ClaimedText>(claimTexts, keys, [space, worker, leaseMs]);
        const rows = await tx.each<TextRow>(selectTexts, keys);
        const byHash = new Map(rows.map((row) => [hashOf(row.content_hash), row]));
        return claimed.flatMap((row) => toClaims(row, byHash.get(hashOf(row.content_hash)), space, worker));
      }),

    settle: (settlements) => engine.transaction((tx) => settleAll(tx, parts, settlements)),

    importVectors: (space, version, vectors) =>
      engine.transaction(async (tx) => {
        // In the order of the texts, as in a settlement, so that rows are locked in the same order.
        const rows = vectors.toSorted((a, b) => (a.contentHash < b.contentHash ? -1 : 1)).map(toWrittenVector);
        const keys = rows.map(({ contentHash }) => [contentHash]);
        const accepted = await tx.changed(acceptImported, keys, [space, version]);
        const imported = rows.filter((_, at) => accepted[at]);
        await writeVectors(tx, parts, space, imported);
        return imported.length;
      }),

    async byContentHash(space, texts) {
      const rows = await engine.reader.each<{ content_hash: Uint8Array; vector: Uint8Array }>(
        selectVectors,
        texts.map((hash) => [hashBytes(hash)]),
        [space],
      );
      return new Map<Sha256, Float32Array>(rows.map((row) => [hashOf(row.content_hash), vectorOf(row.vector)]));
    },

    nearest: createNearest(engine.reader, parts.vectors),

    async progress(space) {
      const [row] = await engine.reader.all<SpaceProgress>(selectProgress, [space]);
      return row ?? { pending: 0, embedded: 0, failed: 0 };
    },
  };
}

/** A text whose last chunk was removed meanwhile is not claimed. */
function toClaims(row: ClaimedText, found: TextRow | undefined, space: SpaceId, worker: string): EmbeddingClaim[] {
  if (found === undefined) return [];
  const { fence, attempts } = row;
  const headings = JSON.parse(found.headings) as string[];
  return [{ space, contentHash: hashOf(row.content_hash), text: found.text, headings, worker, fence, attempts }];
}

const STATE_AFTER = {
  embedded: EMBEDDING_STATE.embedded,
  retry: EMBEDDING_STATE.pending,
  released: EMBEDDING_STATE.pending,
  failed: EMBEDDING_STATE.failed,
} as const;

async function settleAll(
  tx: Executor,
  parts: EngineParts,
  settlements: readonly EmbeddingSettlement[],
): Promise<Array<'settled' | 'superseded'>> {
  const accepted: boolean[] = settlements.map(() => false);
  for (const [space, positions] of bySpace(settlements)) {
    const group = positions.flatMap((at) => settlements[at] ?? []);
    const changed = await tx.changed(settleTexts, group.map(rowOf), [space]);
    positions.forEach((at, i) => {
      accepted[at] = changed[i] ?? false;
    });
    const written = group.flatMap(({ claim, outcome }, i) =>
      changed[i] === true && outcome.kind === 'embedded'
        ? [toWrittenVector({ contentHash: claim.contentHash, vector: outcome.vector })]
        : [],
    );
    await writeVectors(tx, parts, space, written);
  }
  return accepted.map((done) => (done ? 'settled' : 'superseded'));
}

function toWrittenVector({ contentHash, vector }: { contentHash: Sha256; vector: Float32Array }): WrittenVector {
  return { contentHash: hashBytes(contentHash), vector };
}

async function writeVectors(
  tx: Executor,
  parts: EngineParts,
  space: SpaceId,
  written: readonly WrittenVector[],
): Promise<void> {
  await tx.each(
    insertVectors,
    written.map(({ contentHash, vector }) => [contentHash, vectorBytes(vector)]),
    [space],
  );
  await parts.vectors.onVectorsWritten(tx, space, written);
}

function bySpace(settlements: readonly EmbeddingSettlement[]): Map<SpaceId, number[]> {
  const groups = new Map<SpaceId, number[]>();
  // In the order of the texts, so that two workers lock rows in the same order.
  const order = settlements
    .map(({ claim }, at) => ({ at, ...claim }))
    .sort((a, b) => (a.contentHash < b.contentHash ? -1 : 1));
  for (const { at, space } of order) groups.set(space, [...(groups.get(space) ?? []), at]);
  return groups;
}

function rowOf({ claim, outcome }: EmbeddingSettlement): Array<Uint8Array | number | string | null> {
  const waitMs = outcome.kind === 'retry' ? outcome.inMs : 0;
  const reason = 'reason' in outcome ? outcome.reason : null;
  const untried = Number(outcome.kind === 'released');
  return [hashBytes(claim.contentHash), claim.fence, STATE_AFTER[outcome.kind], untried, waitMs, reason];
}

const selectByPk = singleStatement(
  batch(
    { pk: 'int' },
    `select ${POSITIONED_COLUMNS} from {rows} r {then chunks where chunks.pk = r.pk}
     {then search_pages s where s.version_id = chunks.version_id and s.url_key = chunks.url_key} ${JOIN_PAGE}`,
  ),
);

/** Resolves the rows that an engine finds to chunks. A page that is not indexed yet is found by neither terms nor vectors. */
function createNearest(reader: Executor, parts: VectorParts): Vectors['nearest'] {
  return async (request) => {
    if (request.versions.length === 0) return [];
    const nearest = await parts.nearest(request);
    const rows = await reader.each<PositionedRow>(
      selectByPk,
      nearest.map(({ pk }) => [pk]),
    );
    const found = new Map(rows.map((row) => [row.pk, row]));
    return nearest.flatMap(({ pk, similarity }): NearestChunk[] => {
      const row = found.get(pk);
      return row === undefined ? [] : [{ ...toFoundChunk(row), similarity }];
    });
  };
}
