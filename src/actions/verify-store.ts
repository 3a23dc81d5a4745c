// Checks the files of the database, the search index, and every invariant.

import { z } from 'zod';
import { action } from './action.ts';

export const verifyStore = action({
  name: 'verify_store',
  summary: 'Check the database and the search index, and say how to repair what is damaged',
  effect: 'read',
  readsWholeLibrary: true,
  input: z.strictObject({}),
  output: z.object({
    engine: z.string(),
    violations: z.array(
      z.object({
        invariant: z.string().describe('The id of an invariant, or files, checksum or sample'),
        what: z.string().describe('What should hold'),
        row: z.string().describe('Where it does not'),
        remedy: z.enum(['reindex', 'restore']).nullable().describe('The command that repairs it, if there is one'),
      }),
    ),
    skipped: z.array(z.string()).describe('What was not checked, and why'),
  }),
  bindings: {
    cli: { command: 'verify', positional: [], example: 'pinakes verify' },
    http: { method: 'GET', path: '/verify' },
  },

  async run(_input, { store }) {
    const { violations, skipped } = await store.findDamage('full');
    return { engine: store.engine, violations: [...violations, ...(await store.verify())], skipped: [...skipped] };
  },
});
