// Writes the whole library to one file while it is in use. It writes to the caller's disk, so only the command line offers
// it.

import { z } from 'zod';
import { action, localAccessOf } from './action.ts';

export const backupLibrary = action({
  name: 'backup_library',
  summary: 'Back up the whole library to one file while it is in use',
  effect: 'read',
  input: z.strictObject({ out: z.string().min(1).describe('The file to write; it must not exist yet') }),
  output: z.object({ out: z.string(), sources: z.int(), pages: z.int() }),
  bindings: {
    cli: {
      command: 'backup',
      group: 'maintain',
      positional: ['out'],
      example: 'pinakes backup library-backup.db',
      paths: ['out'],
    },
  },

  async run({ out }, deps) {
    localAccessOf(deps);
    const { store } = deps;
    await store.backup(out);
    return { out, sources: await store.sources.count(), pages: await store.stats.totalPages() };
  },
});
