// The vectors of the chunks of a page, for a program that keeps its own vector store.

import { z } from 'zod';
import type { Store } from '../store/port.ts';
import type { StoredSpace } from '../store/port/vectors.ts';
import { action } from './action.ts';
import { PAGE_REFERENCE, resolvePage } from './support/resolve.ts';

export const listVectors = action({
  name: 'list_vectors',
  summary: 'Show the vectors of the chunks of a page',
  effect: 'read',
  input: z.strictObject(PAGE_REFERENCE),
  output: z.object({
    space: z
      .object({ fingerprint: z.string(), dimensions: z.int() })
      .nullable()
      .describe('Vectors of the same space may be compared; null if the library has no vectors'),
    pending: z.int().describe('Texts of the library that wait for their vectors'),
    vectors: z
      .array(z.object({ chunkId: z.string(), vector: z.array(z.number()).nullable() }))
      .describe('By chunk, in the order of the page; null for a text that has none, or none yet'),
  }),
  bindings: {
    cli: {
      command: 'vectors',
      group: 'inspect',
      positional: ['source', 'url'],
      example: 'pinakes vectors docs.example.dev https://docs.example.dev/guide --json',
    },
    http: { method: 'GET', path: '/sources/{source}/page/vectors' },
  },

  async run(reference, { store }) {
    const { version, page } = await resolvePage(store, reference);
    const space = await currentSpace(store);
    if (space === null) return { space: null, pending: 0, vectors: [] };
    const chunks = await store.pages.chunksOf(version.id, page.url);
    const hashes = chunks.map(({ contentHash }) => contentHash);
    const found = await store.vectors.byContentHash(space.id, hashes);
    const vectors = chunks.map(({ id, contentHash }) => {
      const vector = found.get(contentHash);
      return { chunkId: id, vector: vector === undefined ? null : [...vector] };
    });
    const isComplete = vectors.every(({ vector }) => vector !== null);
    const pending = isComplete ? 0 : (await store.vectors.progress(space.id)).pending;
    return { space: { fingerprint: space.fingerprint, dimensions: space.dimensions }, pending, vectors };
  },
});

/** That of the model which was configured last. */
async function currentSpace({ vectors }: Store): Promise<StoredSpace | null> {
  const spaces = await vectors.spaces();
  return spaces.toSorted((a, b) => b.id - a.id)[0] ?? null;
}
