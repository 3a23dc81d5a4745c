// Lists the chunks of a source with their texts, one result page at a time: what a program reads to build its own index.

import { z } from 'zod';
import { action } from './action.ts';
import { ChunkView, chunkView } from './show-page.ts';
import { resolveVersion } from './support/resolve.ts';
import { PageCursor } from './support/page-cursor.ts';

export const PageChunk = z.object({ url: z.string(), title: z.string(), ...ChunkView.shape });

export type PageChunk = z.output<typeof PageChunk>;

export const listChunks = action({
  name: 'list_chunks',
  summary: 'List the chunks of a source with their texts',
  effect: 'read',
  input: z.strictObject({
    source: z.string().min(1).describe('The name of a source'),
    version: z.string().optional().describe('The version; the newest by default'),
    cursor: PageCursor.optional().describe('`nextCursor` of the previous result'),
    pageLimit: z.int().min(1).max(100).default(20).describe('Maximum number of pages whose chunks are listed'),
  }),
  output: z.object({
    source: z.string(),
    version: z.string(),
    chunks: z.array(PageChunk).describe('Page by page, in the order of each page'),
    nextCursor: z.string().nullable().describe('Pass it as `cursor` for more; null at the end'),
  }),
  bindings: {
    cli: {
      command: 'chunks',
      group: 'inspect',
      positional: ['source'],
      example: 'pinakes chunks docs.example.dev --page-limit 5',
    },
    http: { method: 'GET', path: '/sources/{source}/chunks' },
  },

  async run({ source: name, version: label, cursor = null, pageLimit }, { store, signal }) {
    const { source, version } = await resolveVersion(store, name, label);
    const { pages, after } = await store.pages.list(version.id, cursor, pageLimit);
    const chunks: PageChunk[] = [];
    for (const { url, title } of pages) {
      signal.throwIfAborted();
      const ofPage = await store.pages.chunksOf(version.id, url);
      chunks.push(...ofPage.map((chunk) => ({ url, title, ...chunkView(chunk) })));
    }
    return { source: source.name, version: version.label, chunks, nextCursor: after };
  },
});
