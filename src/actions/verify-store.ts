// Checks every invariant of the database.

import { z } from 'zod';
import { action } from './action.ts';

export const verifyStore = action({
  name: 'verify_store',
  summary: 'Check the database and list every violated invariant',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    engine: z.string(),
    violations: z.array(z.object({ invariant: z.string(), what: z.string(), row: z.string() })),
  }),
  bindings: {
    cli: { command: 'verify', positional: [], example: 'pinakes verify' },
    http: { method: 'GET', path: '/verify' },
  },

  async run(_input, { store }) {
    return { engine: store.engine, violations: [...(await store.verify())] };
  },
});
