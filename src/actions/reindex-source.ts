// Rebuilds the search index of a source from its stored chunks. Nothing is fetched, and the old index stays in use in the meantime.

import { z } from 'zod';
import { pinakesError } from '../core/model/errors.ts';
import type { Store } from '../store/port.ts';
import type { Source } from '../store/port/sources.ts';
import { action } from './action.ts';
import { resolveSource } from './support/resolve.ts';

export const reindexSource = action({
  name: 'reindex_source',
  summary: 'Rebuild the search index from stored pages',
  effect: 'write',
  input: z.strictObject({
    source: z.string().min(1).optional().describe('The name of the source, with all its versions'),
    all: z.boolean().default(false).describe('Reindex every source'),
  }),
  output: z.object({
    sources: z.array(z.string()),
    unindexed: z.int().describe('Pages waiting for the indexer; search uses the old index until then'),
  }),
  bindings: {
    cli: { command: 'reindex', group: 'maintain', positional: ['source'], example: 'pinakes reindex docs.example.dev' },
    http: [
      { method: 'POST', path: '/reindex', operation: 'reindex_library', status: 202 },
      { method: 'POST', path: '/sources/{source}/reindex', status: 202 },
    ],
    mcp: {
      title: 'Rebuild the search index',
      description: 'Rebuild the search index of a source, or of all, from stored pages.',
      tools: 'opt-in',
      hints: ['idempotent'],
    },
  },

  async run({ source, all }, { store, index }) {
    const sources = await resolveSources(store, source, all);
    for (const { versions } of sources) for (const { id } of versions) await index.reindex(id);
    return { sources: sources.map(({ name }) => name), unindexed: (await index.lag()).pages };
  },
});

/** One or all, never all by accident. */
async function resolveSources(store: Store, name: string | undefined, all: boolean): Promise<readonly Source[]> {
  if (all === (name !== undefined)) throw pinakesError('input.invalid', { reason: 'Name a source, or pass --all' });
  if (name === undefined) return store.sources.list();
  return [await resolveSource(store, name)];
}
