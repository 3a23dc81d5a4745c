// Locks of chunk texts in PostgreSQL: on the rows of the embedding queue, so that two transactions wait for each other only if
// they write the same text.
//
// The advisory lock is shared by all who add or remove texts and taken alone to open a space. A program from before these
// locks takes it alone for every write of texts, so both can work on one database during an upgrade.

import type { TextLocks } from '../sql/engine/engine-parts.ts';
import type { Executor } from '../sql/engine/engine.ts';
import type { ArrayExecutor } from './postgres-engine.ts';

const TEXTS_LOCK = 7_069_698;
/** Each further one needs another transaction that removed or added one of the texts between two statements. */
const MAX_ROUNDS = 10;

/** In the order of the texts and each row by the key of the table: `offset 0` keeps the subquery from becoming a join. */
const lockRows = (strength: 'key share' | 'update'): string =>
  `select count(*)::int as n from (select held.content_hash from unnest($1::bytea[]) as r (content_hash) cross join spaces
     cross join lateral (select content_hash from embeddings where space_id = spaces.id and content_hash = r.content_hash offset 0 for ${strength}) as held) as rows`;
const shareRows = lockRows('key share');
const takeRows = lockRows('update');

async function lock(tx: Executor, sql: string, hashes: readonly Uint8Array[]): Promise<number> {
  const [row] = await (tx as ArrayExecutor).all<{ n: number }>(sql, [hashes]);
  return row?.n ?? 0;
}

export const textLocks: TextLocks = {
  async holdSpaces(tx) {
    await tx.all(`select pg_advisory_xact_lock_shared(${TEXTS_LOCK})`);
  },
  async lockSpaces(tx) {
    await tx.all(`select pg_advisory_xact_lock(${TEXTS_LOCK})`);
  },
  async addTexts(tx, hashes, spaces, insert) {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const shared = await lock(tx, shareRows, hashes);
      if (shared + (await insert()) === hashes.length * spaces) return;
    }
    // The code of a serialization failure, on which the whole transaction is retried.
    throw Object.assign(new Error('chunk texts were removed and added again too often'), { code: '40001' });
  },
  lockTexts: (tx, hashes) => lock(tx, takeRows, hashes),
  // Without `key`, a text is claimed while a settlement that adds it again is still open.
  forClaim: 'for no key update skip locked',
};
