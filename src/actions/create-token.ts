// Makes a token by which programs and people ask over HTTP. It is shown once; only its hash is kept.

import { z } from 'zod';
import { newToken } from '../platform/access-token.ts';
import { action } from './action.ts';

export const createToken = action({
  name: 'create_token',
  summary: 'Make a token for the HTTP server and show it once',
  effect: 'admin',
  input: z.strictObject({
    name: z
      .string()
      .regex(/^[\w.-]{1,100}$/)
      .describe('What the token is called in lists'),
    scope: z.enum(['read', 'admin']).default('read').describe('read asks, admin also changes the library'),
  }),
  output: z.object({ name: z.string(), scope: z.string(), token: z.string() }),
  doors: { cli: { command: 'token create', positional: ['name'], example: 'pinakes token create laptop' } },

  async run({ name, scope }, { store }) {
    const { token, hash } = newToken();
    await store.tokens.add({ name, scope, hash });
    return { name, scope, token };
  },
});
