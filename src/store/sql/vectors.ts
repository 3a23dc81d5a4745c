// Vectors by space and text: a queue of wanted texts, claimed and fenced like URLs.

import type { Sha256 } from '../../core/model/hash.ts';
import type { EmbeddingClaim, EmbeddingOutcome, Space, SpaceId, Vectors } from '../port.ts';
import { hashBytes, hashOf, jsonText, vectorBytes, vectorOf } from './codec.ts';
import type { EngineParts } from './engine-parts.ts';
import { batch, type Engine, type Executor } from './engine.ts';

const insertSpace = `insert into spaces (fingerprint, settings, dimensions, created_at) values ($1, $2, $3, now_ms()) on conflict do nothing returning id`;
const findSpace = `select id, fingerprint, dimensions from spaces where fingerprint = $1`;
const wantAll = `insert into embeddings (space_id, content_hash, state, wake_at) select distinct cast($1 as integer), content_hash, 0, 0 from chunks where true on conflict do nothing`;

const due = `select content_hash from embeddings where space_id = $1 and state in (0, 1) and wake_at <= now_ms() order by wake_at limit $2`;

/** Conditional, so that two workers that saw the same due texts do not both get them. */
const take = batch(
  { content_hash: 'bytes' },
  `update embeddings set state = 1, worker = $2, fence = fence + 1, attempts = attempts + 1, wake_at = now_ms() + $3
   from {rows} r where embeddings.space_id = $1 and embeddings.content_hash = r.content_hash and embeddings.state in (0, 1) and embeddings.wake_at <= now_ms()
   returning embeddings.content_hash, fence, attempts, (select text from chunks where chunks.content_hash = embeddings.content_hash limit 1) as text`,
  ['int', 'text', 'int'],
);

const settle = `update embeddings set state = cast($4 as integer), worker = null, wake_at = case when cast($4 as integer) = 0 then now_ms() + $5 end, reason = $6
  where space_id = $1 and content_hash = $2 and fence = $3 and state = 1 returning content_hash`;

const write = `insert into vectors (space_id, content_hash, vector) values ($1, $2, $3) on conflict (space_id, content_hash) do update set vector = excluded.vector`;

const read = batch(
  { content_hash: 'bytes' },
  `select vectors.content_hash, vector from vectors, {rows} r where vectors.content_hash = r.content_hash and space_id = $1`,
  ['int'],
);

const backlog = `select count(*) as n from embeddings where space_id = $1 and state in (0, 1)`;

interface TakenRow {
  readonly content_hash: Uint8Array;
  readonly fence: number;
  readonly attempts: number;
  readonly text: string | null;
}

export function createVectors(engine: Engine, parts: EngineParts): Vectors {
  return {
    openSpace: (fingerprint, dimensions, settings) =>
      engine.transaction(async (tx) => {
        const added = await tx.all<{ id: number }>(insertSpace, [fingerprint, jsonText(settings), dimensions]);
        const [space] = await tx.all<Space>(findSpace, [fingerprint]);
        if (space === undefined) throw new Error(`space ${fingerprint} was not stored`);
        if (added.length > 0) {
          await parts.lockTexts(tx);
          await tx.all(wantAll, [space.id]);
        }
        return space;
      }),

    claim: (space, worker, limit, leaseMs) =>
      engine.transaction(async (tx) => {
        const texts = await tx.all<{ content_hash: Uint8Array }>(due, [space, limit]);
        const rows = await tx.each<TakenRow>(
          take,
          texts.map((row) => [row.content_hash]),
          [space, worker, leaseMs],
        );
        return rows.filter((row) => row.text !== null).map((row) => claimOf(row, space, worker));
      }),

    settle: (claim, outcome) => engine.transaction((tx) => settleOne(tx, claim, outcome)),

    async of(space, texts) {
      const rows = await engine.reader.each<{ content_hash: Uint8Array; vector: Uint8Array }>(
        read,
        texts.map((hash) => [hashBytes(hash)]),
        [space],
      );
      return new Map<Sha256, Float32Array>(rows.map((row) => [hashOf(row.content_hash), vectorOf(row.vector)]));
    },

    async backlog(space) {
      const [row] = await engine.reader.all<{ n: number }>(backlog, [space]);
      return row?.n ?? 0;
    },
  };
}

function claimOf(row: TakenRow, space: SpaceId, worker: string): EmbeddingClaim {
  return {
    space,
    contentHash: hashOf(row.content_hash),
    text: row.text ?? '',
    worker,
    fence: row.fence,
    attempts: row.attempts,
  };
}

const STATE_AFTER = { embedded: 2, retry: 0, failed: 3 } as const;

async function settleOne(
  tx: Executor,
  claim: EmbeddingClaim,
  outcome: EmbeddingOutcome,
): Promise<'settled' | 'superseded'> {
  const hash = hashBytes(claim.contentHash);
  const reason = outcome.kind === 'embedded' ? null : outcome.reason;
  const wait = outcome.kind === 'retry' ? outcome.inMs : 0;
  const accepted = await tx.all(settle, [claim.space, hash, claim.fence, STATE_AFTER[outcome.kind], wait, reason]);
  if (accepted.length === 0) return 'superseded';
  if (outcome.kind === 'embedded') await tx.all(write, [claim.space, hash, vectorBytes(outcome.vector)]);
  return 'settled';
}
