// Adds the source of a bundle to the library. It reads the caller's disk, so only the command line offers it.

import { z } from 'zod';
import { pinakesError } from '../core/model/errors.ts';
import { SourceName } from '../core/model/source-name.ts';
import { action, localAccessOf } from './action.ts';
import { addLocal } from './support/add-local.ts';

export const importBundle = action({
  name: 'import_bundle',
  summary: 'Add the source of an exported bundle to the library',
  effect: 'write',
  input: z.strictObject({
    file: z.string().min(1).describe('A zip archive written by pinakes export'),
    name: SourceName.optional().describe('A name for the source; by default the one in the bundle'),
  }),
  output: z.object({ source: z.string(), run: z.int(), local: z.literal(true) }),
  bindings: {
    cli: {
      command: 'import',
      group: 'index',
      positional: ['file'],
      example: 'pinakes import docs.zip',
      paths: ['file'],
    },
  },

  async run({ file, name }, deps) {
    const start = await localAccessOf(deps).files.stat(file);
    if (start.isDamaged === true)
      throw pinakesError('bundle.corrupt', { name: file, reason: 'it is damaged or incomplete' });
    if (start.about === null)
      throw pinakesError('input.invalid', {
        reason: `${file} is not a bundle that pinakes export wrote. To index the files in it, run: pinakes add ${file}`,
      });
    return addLocal(start, { name, version: start.about.version }, deps);
  },
});
