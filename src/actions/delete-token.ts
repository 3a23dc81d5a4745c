// Revokes an access token. Servers notice within seconds.

import { z } from 'zod';
import { pinakesError } from '../core/model/errors.ts';
import { action } from './action.ts';

export const deleteToken = action({
  name: 'delete_token',
  summary: 'Revoke an access token',
  effect: 'admin',
  input: z.strictObject({ name: z.string().min(1).describe('The name of the token') }),
  output: z.object({ revoked: z.string() }),
  bindings: {
    cli: { command: 'tokens delete', group: 'serve', positional: ['name'], example: 'pinakes tokens delete laptop' },
  },

  async run({ name }, { store }) {
    if (!(await store.tokens.revoke(name))) throw pinakesError('token.unknown', { name });
    return { revoked: name };
  },
});
