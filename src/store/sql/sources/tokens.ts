// Access tokens of the HTTP server.

import { pinakesError } from '../../../core/model/errors.ts';
import type { AccessToken, Tokens } from '../../port.ts';
import type { Engine } from '../engine/engine.ts';

const insert = `insert into tokens (name, role, hash, created_at) values ($1, $2, $3, now_ms()) on conflict do nothing returning name`;
const selectAll = `select name, role, hash, created_at from tokens order by name`;
const remove = `delete from tokens where name = $1 returning name`;

interface TokenRow extends Omit<AccessToken, 'createdAt'> {
  readonly created_at: number;
}

export function createTokens(engine: Engine): Tokens {
  return {
    async add({ name, role, hash }) {
      const added = await engine.transaction((tx) => tx.all(insert, [name, role, hash]));
      if (added.length === 0) throw pinakesError('token.exists', { name });
    },
    async list() {
      const rows = await engine.reader.all<TokenRow>(selectAll);
      return rows.map(({ created_at, ...rest }) => ({ ...rest, createdAt: new Date(created_at) }));
    },
    async revoke(name) {
      return (await engine.transaction((tx) => tx.all(remove, [name]))).length > 0;
    },
  };
}
