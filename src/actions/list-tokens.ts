// Lists the access tokens of the HTTP server, without their secrets.

import { z } from 'zod';
import { action } from './action.ts';

export const listTokens = action({
  name: 'list_tokens',
  summary: 'List the access tokens for the HTTP server',
  effect: 'admin',
  input: z.strictObject({}),
  output: z.object({
    tokens: z.array(z.object({ name: z.string(), role: z.enum(['read', 'admin']), createdAt: z.iso.datetime() })),
  }),
  bindings: {
    cli: { command: 'tokens list', group: 'serve', positional: [], example: 'pinakes tokens list' },
    http: { method: 'GET', path: '/tokens' },
  },

  async run(_input, { store }) {
    const tokens = await store.tokens.list();
    return {
      tokens: tokens.map(({ name, role, createdAt }) => ({ name, role, createdAt: createdAt.toISOString() })),
    };
  },
});
