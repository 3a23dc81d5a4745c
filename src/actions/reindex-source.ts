// Builds the search index of a source again from its stored chunks. Nothing is fetched, and what is there answers meanwhile.

import { z } from 'zod';
import { pinakesError } from '../core/model/errors.ts';
import type { Source, Store } from '../store/port.ts';
import { action } from './action.ts';

export const reindexSource = action({
  name: 'reindex_source',
  summary: 'Build the search index again from what is stored',
  effect: 'write',
  input: z.strictObject({
    source: z.string().min(1).optional().describe('The name of the source, with all its versions'),
    all: z.boolean().default(false).describe('Every source'),
  }),
  output: z.object({
    sources: z.array(z.string()),
    unindexed: z.int().describe('Pages that wait for the indexer; search answers from the old index until it has them'),
  }),
  doors: {
    cli: { command: 'reindex', positional: ['source'], example: 'pinakes reindex docs.example.dev' },
    http: [
      { method: 'POST', path: '/reindex' },
      { method: 'POST', path: '/sources/{source}/reindex' },
    ],
    mcp: { title: 'Build the search index again', tools: 'opt-in' },
  },

  async run({ source, all }, { store }) {
    const sources = await chosen(store, source, all);
    for (const { versions } of sources) for (const { id } of versions) await store.searchRows.reindex(id);
    return { sources: sources.map(({ name }) => name), unindexed: await store.searchRows.lag() };
  },
});

/** One or all, never all by an oversight. */
async function chosen(store: Store, name: string | undefined, all: boolean): Promise<readonly Source[]> {
  if (all === (name !== undefined)) throw pinakesError('input.invalid', { why: 'Name a source, or give --all' });
  if (name === undefined) return store.sources.list();
  const source = await store.sources.byName(name);
  if (source === null) throw pinakesError('source.unknown', { source: name });
  return [source];
}
