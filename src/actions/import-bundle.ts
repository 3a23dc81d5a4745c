// Adds the source of a bundle to the library. It reads the disk of whoever asks, so only the command line has it.

import { z } from 'zod';
import { pinakesError } from '../core/model/errors.ts';
import { action } from './action.ts';
import { addLocal } from './add-local.ts';

export const importBundle = action({
  name: 'import_bundle',
  summary: 'Add the source of an exported bundle to the library',
  effect: 'write',
  input: z.strictObject({
    file: z.string().min(1).describe('A zip archive that pinakes export wrote'),
    name: z.string().min(1).max(100).optional().describe('A name for the source; its own unless given'),
  }),
  output: z.object({ source: z.string(), run: z.int(), local: z.literal(true) }),
  doors: { cli: { command: 'import', positional: ['file'], example: 'pinakes import docs.zip', paths: ['file'] } },

  async run({ file, name }, deps) {
    if (deps.local === null) throw pinakesError('local.forbidden', {});
    const start = await deps.local.files.look(file);
    if (start.about === null) throw pinakesError('bundle.broken', { name: file, why: 'it is not a bundle' });
    return addLocal(start, { name, version: start.about.version }, deps);
  },
});
