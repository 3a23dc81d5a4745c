// Imports places into the gazetteer. It reads the caller's disk, so only the command line offers it; nothing is downloaded.

import { z } from 'zod';
import { BUILT_IN, builtInPlaces } from '../core/gazetteer/built-in-places.ts';
import { pinakesError } from '../core/model/errors.ts';
import { action, localAccessOf } from './action.ts';

export const importPlaces = action({
  name: 'import_places',
  summary: 'Import places into the gazetteer: countries, languages, or a GeoNames file from this disk',
  effect: 'write',
  input: z.strictObject({
    from: z
      .string()
      .min(1)
      .describe('`countries`, `languages`, or an unpacked file of GeoNames, such as cities15000.txt'),
  }),
  output: z.object({
    read: z.int().describe('Number of places read'),
    added: z.int().describe('Number of new places'),
    ignored: z.int().describe('Number of lines about other features, such as rivers'),
    malformed: z.int().describe('Number of lines in another format'),
    isTruncated: z.boolean().describe('Whether the file exceeds the limit of the gazetteer'),
  }),
  bindings: {
    cli: {
      command: 'gazetteer import',
      group: 'maintain',
      positional: ['from'],
      example: 'pinakes gazetteer import countries',
    },
  },

  async run({ from }, deps) {
    const { store, onProgress, signal } = deps;
    const { geonamesOf, importPlaces: save, MAX_PLACES } = await import('../library/import-places.ts');
    const onBatch = (done: number): void => {
      signal.throwIfAborted();
      onProgress({ step: 'imported', done, total: MAX_PLACES });
    };
    const builtIn = BUILT_IN.find((name) => name === from);
    if (builtIn !== undefined) return save(builtInPlaces(builtIn), store.gazetteer, onBatch);
    const imported = await save(geonamesOf(localAccessOf(deps).readLines(from)), store.gazetteer, onBatch);
    if (imported.read === 0 && imported.ignored === 0)
      throw pinakesError('input.invalid', { reason: `${from} is not a file of GeoNames: its lines have 19 columns` });
    return imported;
  },
});
