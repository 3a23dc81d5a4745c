// Access tokens of the HTTP server.

import { pinakesError } from '../../../core/model/errors.ts';
import type { SourceRights } from '../../../core/model/source-rights.ts';
import type { AccessToken, Tokens } from '../../port/tokens.ts';
import type { Engine } from '../engine/engine.ts';
import { dateOf } from '../engine/codec.ts';

const COLUMNS =
  'name, role, hash, sources, requests_per_minute, previous_hash, previous_until, created_at, expires_at, last_used_at';
const IS_VALID = '(expires_at is null or expires_at > now_ms())';

const insert = `insert into tokens (name, role, hash, sources, requests_per_minute, expires_at, created_at)
  values ($1, $2, $3, $4, $5, now_ms() + $6, now_ms()) on conflict do nothing returning name`;
const selectPage = `select ${COLUMNS} from tokens where name > $1 order by name limit $2`;
const selectAny = `select 1 as found from tokens limit 1`;
const selectNamed = `select ${COLUMNS} from tokens where name = $1 and ${IS_VALID}`;
/** One statement for each of the two indexes. */
const selectByHash = `select ${COLUMNS} from tokens where hash = $1 and ${IS_VALID}
  union all select ${COLUMNS} from tokens where previous_hash = $1 and previous_until > now_ms() and ${IS_VALID}`;
const updateSecret = `update tokens set previous_hash = hash, previous_until = now_ms() + $3, hash = $2 where name = $1 returning name`;
const HOUR_MS = 3_600_000;
const updateUse = `update tokens set last_used_at = now_ms()
  where name = $1 and (last_used_at is null or last_used_at <= now_ms() - ${HOUR_MS})`;
const remove = `delete from tokens where name = $1 returning name`;

interface TokenRow {
  readonly name: string;
  readonly role: AccessToken['role'];
  readonly hash: string;
  /** A list in JSON. */
  readonly sources: string | null;
  readonly requests_per_minute: number | null;
  readonly previous_hash: string | null;
  readonly previous_until: number | null;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly last_used_at: number | null;
}

export function createTokens(engine: Engine): Tokens {
  return {
    async add({ name, role, hash, sources, requestsPerMinute, expiresInMs }) {
      const patterns = sources === null ? null : JSON.stringify(sources);
      const values = [name, role, hash, patterns, requestsPerMinute, expiresInMs];
      const added = await engine.transaction((tx) => tx.all(insert, values));
      if (added.length === 0) throw pinakesError('token.exists', { name });
    },
    list: async ({ after, limit }) =>
      (await engine.reader.all<TokenRow>(selectPage, [after ?? '', limit])).map(tokenOf),
    isAny: async () => (await engine.reader.all(selectAny)).length > 0,
    async byHashes(hashes) {
      const found = await Promise.all(hashes.map((hash) => engine.reader.all<TokenRow>(selectByHash, [hash])));
      return found.flat().map(tokenOf);
    },
    async byName(name) {
      const [row] = await engine.reader.all<TokenRow>(selectNamed, [name]);
      return row === undefined ? null : tokenOf(row);
    },
    async rotate(name, hash, overlapMs) {
      return (await engine.transaction((tx) => tx.all(updateSecret, [name, hash, overlapMs]))).length > 0;
    },
    touch: async (name) => void (await engine.transaction((tx) => tx.all(updateUse, [name]))),
    async revoke(name) {
      return (await engine.transaction((tx) => tx.all(remove, [name]))).length > 0;
    },
  };
}

function tokenOf(row: TokenRow): AccessToken {
  const { name, role, hash, sources, previous_hash, previous_until } = row;
  const hasPrevious = previous_hash !== null && previous_until !== null;
  return {
    name,
    role,
    hash,
    sources: sources === null ? null : (JSON.parse(sources) as SourceRights),
    requestsPerMinute: row.requests_per_minute,
    previous: hasPrevious ? { hash: previous_hash, until: new Date(previous_until) } : null,
    createdAt: new Date(row.created_at),
    expiresAt: dateOf(row.expires_at),
    lastUsedAt: dateOf(row.last_used_at),
  };
}
