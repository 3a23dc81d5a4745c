// Checks the files of the database, the search index, and every invariant.

import { z } from 'zod';
import { action } from './action.ts';

/** Pages of an external index whose content is compared; that it has all of them is always checked. */
const COMPARED_PAGES = 1000;

export const verifyStore = action({
  name: 'verify_store',
  summary: 'Check the database and the search index, and show how to repair damage',
  effect: 'read',
  readsWholeLibrary: true,
  needsAllSources: true,
  input: z.strictObject({}),
  output: z.object({
    database: z.string().describe('sqlite or postgres'),
    violations: z.array(
      z.object({
        invariant: z.string().describe('The id of an invariant, or files, checksum, sample or index'),
        what: z.string().describe('What should hold'),
        row: z.string().describe('Where it does not'),
        remedy: z.enum(['reindex', 'restore']).nullable().describe('The command that repairs it, if there is one'),
      }),
    ),
    skipped: z.array(z.string()).describe('What was not checked, and why'),
  }),
  bindings: {
    cli: { command: 'verify', group: 'maintain', positional: [], example: 'pinakes verify' },
    http: { method: 'GET', path: '/verify' },
  },

  async run(_input, { store, index }) {
    const { violations, skipped } = await store.findDamage('full');
    const differences = (await index.verify(COMPARED_PAGES)).map(
      (row) => ({ invariant: 'index', what: 'the search index equals the store', row, remedy: 'reindex' }) as const,
    );
    return {
      database: store.engine,
      violations: [...violations, ...(await store.verify()), ...differences],
      skipped: [...skipped],
    };
  },
});
