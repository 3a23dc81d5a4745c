// Vectors by space and text: a queue of wanted texts, claimed and fenced like URLs.

import type { Sha256 } from '../../../core/model/hash.ts';
import type { EmbeddingClaim, EmbeddingSettlement, Space, SpaceId, SpaceProgress, Vectors } from '../../port.ts';
import { hashBytes, hashOf, jsonText, vectorBytes, vectorOf } from '../engine/codec.ts';
import type { EngineParts, WrittenVector } from '../engine/engine-parts.ts';
import { batch, keyed, type Engine, type Executor } from '../engine/engine.ts';
import { createNearest } from '../nearest-chunks.ts';

const insertSpace = `insert into spaces (fingerprint, settings, dimensions, created_at) values ($1, $2, $3, now_ms()) on conflict do nothing returning id`;
const findSpace = `select id, fingerprint, dimensions from spaces where fingerprint = $1`;
const allSpaces = `select id, fingerprint, dimensions from spaces order by fingerprint`;
const wantAll = `insert into embeddings (space_id, content_hash, state, wake_at) select distinct cast($1 as integer), content_hash, 0, 0 from chunks where true on conflict do nothing`;

const due = `select content_hash from embeddings where space_id = $1 and state in (0, 1) and wake_at <= now_ms() order by wake_at limit $2`;

/** Conditional, so that two workers that saw the same due texts do not both get them. */
const take = batch(
  { content_hash: 'bytes' },
  `update embeddings set state = 1, worker = $2, fence = fence + 1, attempts = attempts + 1, wake_at = now_ms() + $3
   from {rows} r where embeddings.space_id = $1 and embeddings.content_hash = r.content_hash and embeddings.state in (0, 1) and embeddings.wake_at <= now_ms()
   returning embeddings.content_hash, fence, attempts`,
  ['int', 'text', 'int'],
);

/** A text under different headings has none: its vector must not depend on which chunk came first. */
const textsOf = batch(
  { content_hash: 'bytes' },
  `select chunks.content_hash, min(chunks.text) as text, case when min(chunks.headings) = max(chunks.headings) then min(chunks.headings) else '[]' end as headings
   from chunks, {rows} r where chunks.content_hash = r.content_hash group by chunks.content_hash`,
);

const settle = keyed(
  'embeddings',
  ['content_hash', 'fence'],
  batch(
    { content_hash: 'bytes', fence: 'int', state: 'int', untried: 'int', wait_ms: 'int', reason: 'text' },
    `update embeddings set state = r.state, worker = null, attempts = embeddings.attempts - r.untried, wake_at = case when r.state = 0 then now_ms() + r.wait_ms end, reason = r.reason
     from {rows} r where embeddings.space_id = $1 and embeddings.content_hash = r.content_hash and embeddings.fence = r.fence and embeddings.state = 1`,
    ['int'],
  ),
);

const give = keyed(
  'embeddings',
  ['content_hash'],
  batch(
    { content_hash: 'bytes' },
    `update embeddings set state = 2, worker = null, fence = fence + 1, wake_at = null, reason = null
     from {rows} r where embeddings.space_id = $1 and embeddings.content_hash = r.content_hash and embeddings.state <> 2
       and exists (select 1 from chunks where chunks.content_hash = r.content_hash and chunks.version_id = $2)`,
    ['int', 'int'],
  ),
);

const write = batch(
  { content_hash: 'bytes', vector: 'bytes' },
  `insert into vectors (space_id, content_hash, vector) select cast($1 as integer), r.content_hash, r.vector from {rows} r where true
   on conflict (space_id, content_hash) do update set vector = excluded.vector`,
  ['int'],
);

const read = batch(
  { content_hash: 'bytes' },
  `select vectors.content_hash, vector from vectors, {rows} r where vectors.content_hash = r.content_hash and space_id = $1`,
  ['int'],
);

const progress = `select coalesce(sum(case when state in (0, 1) then 1 else 0 end), 0) as wanted, coalesce(sum(case when state = 2 then 1 else 0 end), 0) as embedded,
  coalesce(sum(case when state = 3 then 1 else 0 end), 0) as failed from embeddings where space_id = $1`;

interface TakenRow {
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
          await parts.lockTexts(tx);
          await tx.all(wantAll, [found.id]);
        }
        return found;
      });
      await parts.vectors.opened(space);
      return space;
    },

    spaces: () => engine.reader.all<Space>(allSpaces),

    async findSpace(fingerprint) {
      const [space] = await engine.reader.all<Space>(findSpace, [fingerprint]);
      return space ?? null;
    },

    requireSearch: () => parts.vectors.require(),

    claim: (space, worker, limit, leaseMs) =>
      engine.transaction(async (tx) => {
        const texts = await tx.all<{ content_hash: Uint8Array }>(due, [space, limit]);
        const keys = texts.map((row) => [row.content_hash]);
        const taken = await tx.each<TakenRow>(take, keys, [space, worker, leaseMs]);
        const rows = await tx.each<TextRow>(textsOf, keys);
        const byHash = new Map(rows.map((row) => [hashOf(row.content_hash), row]));
        return taken.flatMap((row) => claimsOf(row, byHash.get(hashOf(row.content_hash)), space, worker));
      }),

    settle: (settlements) => engine.transaction((tx) => settleAll(tx, parts, settlements)),

    keep: (space, version, vectors) =>
      engine.transaction(async (tx) => {
        // In the order of the texts, as in a settlement.
        const rows = vectors.toSorted((a, b) => (a.contentHash < b.contentHash ? -1 : 1)).map(bytesOf);
        const keys = rows.map(({ contentHash }) => [contentHash]);
        const given = await tx.changed(give, keys, [space, version]);
        const kept = rows.filter((_, at) => given[at]);
        await writeVectors(tx, parts, space, kept);
        return kept.length;
      }),

    async of(space, texts) {
      const rows = await engine.reader.each<{ content_hash: Uint8Array; vector: Uint8Array }>(
        read,
        texts.map((hash) => [hashBytes(hash)]),
        [space],
      );
      return new Map<Sha256, Float32Array>(rows.map((row) => [hashOf(row.content_hash), vectorOf(row.vector)]));
    },

    nearest: createNearest(engine.reader, parts.vectors),

    async progress(space) {
      const [row] = await engine.reader.all<SpaceProgress>(progress, [space]);
      return row ?? { wanted: 0, embedded: 0, failed: 0 };
    },
  };
}

/** A text whose last chunk went meanwhile is claimed by nobody. */
function claimsOf(row: TakenRow, found: TextRow | undefined, space: SpaceId, worker: string): EmbeddingClaim[] {
  if (found === undefined) return [];
  const { fence, attempts } = row;
  const headings = JSON.parse(found.headings) as string[];
  return [{ space, contentHash: hashOf(row.content_hash), text: found.text, headings, worker, fence, attempts }];
}

const STATE_AFTER = { embedded: 2, retry: 0, released: 0, failed: 3 } as const;

async function settleAll(
  tx: Executor,
  parts: EngineParts,
  settlements: readonly EmbeddingSettlement[],
): Promise<Array<'settled' | 'superseded'>> {
  const accepted: boolean[] = settlements.map(() => false);
  for (const [space, positions] of bySpace(settlements)) {
    const group = positions.flatMap((at) => settlements[at] ?? []);
    const changed = await tx.changed(settle, group.map(rowOf), [space]);
    positions.forEach((at, i) => {
      accepted[at] = changed[i] ?? false;
    });
    const written = group.flatMap(({ claim, outcome }, i) =>
      changed[i] === true && outcome.kind === 'embedded'
        ? [bytesOf({ contentHash: claim.contentHash, vector: outcome.vector })]
        : [],
    );
    await writeVectors(tx, parts, space, written);
  }
  return accepted.map((done) => (done ? 'settled' : 'superseded'));
}

function bytesOf({ contentHash, vector }: { contentHash: Sha256; vector: Float32Array }): WrittenVector {
  return { contentHash: hashBytes(contentHash), vector };
}

async function writeVectors(
  tx: Executor,
  parts: EngineParts,
  space: SpaceId,
  written: readonly WrittenVector[],
): Promise<void> {
  await tx.each(
    write,
    written.map(({ contentHash, vector }) => [contentHash, vectorBytes(vector)]),
    [space],
  );
  await parts.vectors.written(tx, space, written);
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
