// Lists the functions, classes, operations and options that a source defines.

import { z } from 'zod';
import { chunkPath } from '../core/chunk/chunk-names.ts';
import type { SymbolChunk } from '../core/outline/list-outline.ts';
import { action } from './action.ts';
import { SymbolView } from './outline-source.ts';
import { findSymbols, openOutlines, type FoundSymbols, type ReadOutlines } from './support/outline-pages.ts';
import { resolveVersion } from './support/resolve.ts';

const MAX_CHUNKS = 50_000;
const BATCH_SIZE = 500;

export const listSourceSymbols = action({
  name: 'list_symbols',
  summary: 'List the functions, classes, operations and options that a source defines',
  effect: 'read',
  input: z.strictObject({
    source: z.string().describe('The name of a source'),
    version: z.string().optional().describe('The version; the newest by default'),
    prefix: z
      .string()
      .max(500)
      .optional()
      .describe('Only symbols that start with this, as a whole or after a separator; exact matches come first'),
    path: z.string().optional().describe('Only pages whose path or URL starts with this'),
  }),
  output: z.object({
    source: z.string(),
    isTruncated: z.boolean().describe('There are more than one result holds; narrow it with prefix or path'),
    symbols: z.array(SymbolView),
  }),
  bindings: {
    cli: {
      command: 'symbols',
      group: 'search',
      flags: ['project'],
      positional: ['source'],
      example: 'pinakes symbols docs.example.dev --prefix read',
    },
    http: { method: 'GET', path: '/sources/{source}/symbols' },
  },

  async run({ source: name, version: label, prefix, path }, { store }) {
    const { source, version } = await resolveVersion(store, name, label);
    const { listSymbols } = await import('../core/outline/list-outline.ts');
    const { entries, isTruncated } =
      prefix === undefined || prefix === '' || path !== undefined
        ? await loadSymbols(await openOutlines(store, { source, version }, path))
        : await findSymbols(store, version, prefix);
    const symbols = listSymbols({ entries }, prefix === undefined ? {} : { symbolPrefix: prefix });
    return { source: source.name, isTruncated, symbols };
  },
});

/** Pages in the order of their URLs until they have too many chunks in total. */
async function loadSymbols(read: ReadOutlines): Promise<FoundSymbols> {
  const entries: SymbolChunk[] = [];
  let chunks = 0;
  let after: string | null = null;
  for (;;) {
    const batch = await read(after, BATCH_SIZE);
    for (const page of batch) {
      chunks += page.chunks.length;
      if (chunks > MAX_CHUNKS) return { entries, isTruncated: true };
      const path = chunkPath(page.url);
      entries.push(...page.chunks.map((chunk) => ({ path, chunk, outline: page.outline })));
      after = page.url;
    }
    if (batch.length < BATCH_SIZE) return { entries, isTruncated: false };
  }
}
