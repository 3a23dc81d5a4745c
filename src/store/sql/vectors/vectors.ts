// Vectors by space and text: a queue of pending texts, which are claimed and fenced like URLs, and the search for the nearest.

import type { Sha256 } from '../../../core/model/hash.ts';
import type {
  EmbeddingClaim,
  EmbeddingSettlement,
  NearestChunk,
  NearestRequest,
  StoredSpace,
  SpaceId,
  Vectors,
} from '../../port/vectors.ts';
import { hashBytes, hashOf } from '../engine/codec.ts';
import type { EngineParts, ScoredPk, VectorParts, WrittenVector } from '../engine/engine-parts.ts';
import { batch, keyed, singleStatement, type Engine, type Executor } from '../engine/engine.ts';
import { EMBEDDING_STATE, UNEMBEDDED_STATES_SQL } from '../engine/states.ts';
import { queueVectors } from '../points/queued-vectors.ts';
import { dropUnusedTexts } from './chunk-texts.ts';
import { matchingAmong } from './matching-chunks.ts';
import { ALL_SPACES, FIND_SPACE, openSpace, spaceProgress, queueNextTexts } from './open-space.ts';
import { FOUND_COLUMNS, JOIN_PAGE, toFoundChunk, type FoundRow } from '../search/read-chunks.ts';
import { compareText } from '../../../core/text/compare-text.ts';

const selectDue = (forClaim: string): string =>
  `select content_hash from embeddings where space_id = $1 and state in ${UNEMBEDDED_STATES_SQL} and due_at <= now_ms() order by due_at limit $2 ${forClaim}`;

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

/** Not if another version has the text: its vector would then be what the bundle says it is. */
const acceptImported = keyed(
  'embeddings',
  ['content_hash'],
  batch(
    { content_hash: 'bytes' },
    `update embeddings set state = ${EMBEDDING_STATE.embedded}, worker = null, fence = fence + 1, due_at = null, reason = null, carried_by = $2
     from {rows} r where embeddings.space_id = $1 and embeddings.content_hash = r.content_hash and embeddings.state <> ${EMBEDDING_STATE.embedded}
       and exists (select 1 from chunks where chunks.content_hash = r.content_hash and chunks.version_id = $2)
       and not exists (select 1 from chunks where chunks.content_hash = r.content_hash and chunks.version_id <> $2)`,
    ['int', 'int'],
  ),
);

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
    openSpace: (fingerprint, dimensions, settings) => openSpace(engine, parts, fingerprint, { dimensions, settings }),

    spaces: () => engine.reader.all<StoredSpace>(ALL_SPACES),

    async findSpace(fingerprint) {
      const [space] = await engine.reader.all<StoredSpace>(FIND_SPACE, [fingerprint]);
      return space ?? null;
    },

    requireSearch: () => parts.vectors.requireSupport(),

    async claim(space, worker, limit, leaseMs) {
      const claims = await engine.transaction((tx) => claimDue(tx, parts, { space, worker, limit, leaseMs }));
      if (claims.length > 0 || !(await queueNextTexts(engine, parts, space))) return claims;
      return engine.transaction((tx) => claimDue(tx, parts, { space, worker, limit, leaseMs }));
    },

    settle: (settlements) => engine.transaction((tx) => settleAll(tx, parts, settlements)),

    importVectors: (space, version, vectors) =>
      engine.transaction(async (tx) => {
        // In the order of the texts, as in a settlement, so that rows are locked in the same order.
        const rows = vectors.toSorted((a, b) => (a.contentHash < b.contentHash ? -1 : 1)).map(toWrittenVector);
        const keys = rows.map(({ contentHash }) => [contentHash] as const);
        await parts.textLocks.lockTexts(
          tx,
          keys.map(([hash]) => hash),
        );
        const accepted = await tx.changed(acceptImported, keys, [space, version]);
        const imported = rows.filter((_, at) => accepted[at]);
        await writeVectors(tx, parts, space, imported);
        return imported.length;
      }),

    async byContentHash(space, texts) {
      return new Map<Sha256, Float32Array>(await parts.vectors.read(space, texts.map(hashBytes)));
    },

    nearest: createNearest(engine.reader, parts.vectors),

    maintainIndex: async (space) => parts.vectors.maintainIndex(space, await spaceProgress(engine.reader, space)),

    progress: (space) => spaceProgress(engine.reader, space),
  };
}

interface ClaimRequest {
  readonly space: SpaceId;
  readonly worker: string;
  readonly limit: number;
  readonly leaseMs: number;
}

/** A text whose last chunk was removed while it was being queued is dropped instead. */
async function claimDue(tx: Executor, parts: EngineParts, request: ClaimRequest): Promise<readonly EmbeddingClaim[]> {
  const { space, worker, limit, leaseMs } = request;
  const due = await tx.all<{ content_hash: Uint8Array }>(selectDue(parts.textLocks.forClaim), [space, limit]);
  const keys = due.map((row) => [row.content_hash]);
  const claimed = await tx.each<ClaimedText>(claimTexts, keys, [space, worker, leaseMs]);
  const texts = await tx.each<TextRow>(selectTexts, keys);
  const byHash = new Map(texts.map((row) => [hashOf(row.content_hash), row]));
  const unused = claimed.map((row) => hashOf(row.content_hash)).filter((hash) => !byHash.has(hash));
  await dropUnusedTexts(tx, parts, unused);
  return claimed.flatMap(({ content_hash, fence, attempts }): EmbeddingClaim[] => {
    const contentHash = hashOf(content_hash);
    const found = byHash.get(contentHash);
    if (found === undefined) return [];
    const headings = JSON.parse(found.headings) as string[];
    return [{ space, contentHash, text: found.text, headings, worker, fence, attempts }];
  });
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

async function writeVectors(
  tx: Executor,
  parts: EngineParts,
  space: SpaceId,
  vectors: readonly WrittenVector[],
): Promise<void> {
  await parts.vectors.write(tx, space, vectors);
  await queueVectors(
    tx,
    space,
    vectors.map(({ contentHash }) => contentHash),
  );
}

function toWrittenVector({ contentHash, vector }: { contentHash: Sha256; vector: Float32Array }): WrittenVector {
  return { contentHash: hashBytes(contentHash), vector };
}

function bySpace(settlements: readonly EmbeddingSettlement[]): Map<SpaceId, number[]> {
  const groups = new Map<SpaceId, number[]>();
  // In the order of the texts, so that two workers lock rows in the same order.
  const order = settlements
    .map(({ claim }, at) => ({ at, ...claim }))
    .sort((a, b) => compareText(a.contentHash, b.contentHash));
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
  batch({ pk: 'int' }, `select ${FOUND_COLUMNS} from {rows} r {then chunks where chunks.pk = r.pk} ${JOIN_PAGE}`),
);

/** Resolves the rows that an engine finds to chunks. A page that is not indexed yet is found by neither terms nor vectors. */
/** Chunks that are compared with a filter first, for each that is wanted, and how many times as many each next time. */
const FIRST_DEPTH = 4;
const DEEPER = 4;
/** Compared at most: beyond them a chunk is hardly similar. */
const MAX_COMPARED_CHUNKS = 6400;

/** What no column of the engine has, a path or a heading, is compared from the nearest chunk on until enough of them pass. */
async function nearestMatching(
  reader: Executor,
  parts: VectorParts,
  request: NearestRequest,
): Promise<readonly ScoredPk[]> {
  const { passageKinds: _, pathBases: _bases, pathPrefix, ...others } = request.filter;
  if ((pathPrefix ?? '') === '' && Object.keys(others).length === 0) return parts.nearest(request);
  const passing = new Set<number>();
  const compared = new Set<number>();
  for (let limit = request.limit * FIRST_DEPTH; ; limit *= DEEPER) {
    const nearest = await parts.nearest({ ...request, limit });
    const added = nearest.map(({ pk }) => pk).filter((pk) => !compared.has(pk));
    for (const pk of added) compared.add(pk);
    for (const pk of await matchingAmong(reader, added, request.filter)) passing.add(pk);
    if (passing.size >= request.limit || nearest.length < limit || limit >= MAX_COMPARED_CHUNKS)
      return nearest.filter(({ pk }) => passing.has(pk)).slice(0, request.limit);
  }
}

function createNearest(reader: Executor, parts: VectorParts): Vectors['nearest'] {
  return async (request) => {
    if (request.versions.length === 0) return [];
    const nearest = await nearestMatching(reader, parts, request);
    const rows = await reader.each<FoundRow>(
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
