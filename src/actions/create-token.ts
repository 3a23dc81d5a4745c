// Creates an access token for the HTTP server. It is shown once; only its hash is stored.

import { z } from 'zod';
import { action } from './action.ts';

export const createToken = action({
  name: 'create_token',
  summary: 'Create an access token for the HTTP server (shown once)',
  effect: 'admin',
  input: z.strictObject({
    name: z
      .string()
      .regex(/^[\w.-]{1,100}$/, 'must consist of at most 100 letters, digits, dots, dashes and underscores')
      .describe('A name for the token'),
    role: z.enum(['read', 'admin']).default('read').describe('read can only query; admin can also change the library'),
  }),
  output: z.object({ name: z.string(), role: z.string(), token: z.string() }),
  bindings: {
    cli: { command: 'tokens create', group: 'serve', positional: ['name'], example: 'pinakes tokens create laptop' },
  },

  async run({ name, role }, { store }) {
    const { generateToken } = await import('../platform/access-token.ts');
    const { token, hash } = generateToken();
    await store.tokens.add({ name, role, hash });
    return { name, role, token };
  },
});
