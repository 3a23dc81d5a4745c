// Lists the pages of a source with their headings, or with the symbols that they define.

import { z } from 'zod';
import { estimateTokens } from '../core/model/chunk.ts';
import { action } from './action.ts';
import { chunkPath } from '../core/chunk/chunk-names.ts';
import type { OutlinePage, SymbolEntry } from '../core/outline/list-outline.ts';
import { findSymbols, openOutlines, type ReadOutlines } from './support/outline-pages.ts';
import { resolveVersion } from './support/resolve.ts';

/** Pages read at a time: about as many as a small budget has room for. */
const BATCH_SIZE = 40;

export const SymbolView = z.object({
  symbol: z.string(),
  path: z.string(),
  anchor: z.string().nullable(),
  chunkId: z.string(),
  line: z.int(),
});

const Outline = z.object({
  source: z.string(),
  isTruncated: z.boolean().describe('There are more pages: continue with the cursor, or narrow it with path'),
  nextCursor: z.string().nullable().describe('Pass it as `cursor` for more; null at the end'),
  pages: z.array(
    z.object({
      path: z.string(),
      title: z.string(),
      sections: z.array(
        z.object({
          headings: z.array(z.string()),
          anchor: z.string().nullable(),
          chunkId: z.string(),
          line: z.int(),
          tokens: z.int(),
        }),
      ),
    }),
  ),
  symbols: z.array(SymbolView).describe('If asked for'),
});

export const outlineSource = action({
  name: 'outline',
  summary: 'List the pages of a source with their headings, or with their symbols',
  effect: 'read',
  input: z.strictObject({
    source: z.string().describe('The name of a source'),
    version: z.string().optional().describe('The version; the newest by default'),
    path: z.string().optional().describe('Only pages whose path or URL starts with this'),
    symbol: z.string().max(500).optional().describe('List symbols whose name or last parts start with this'),
    cursor: z.string().optional().describe('`nextCursor` of the previous result'),
    budget: z.int().min(100).max(1_000_000).default(100_000).describe('Maximum tokens of the result'),
  }),
  output: Outline,
  bindings: {
    cli: {
      command: 'outline',
      group: 'search',
      flags: ['project'],
      positional: ['source'],
      example: 'pinakes outline docs.example.dev',
    },
    http: { method: 'GET', path: '/sources/{source}/outline' },
    mcp: {
      title: 'Outline of a source',
      description:
        'List the pages of a source with their headings, or with `symbol` its functions, classes and options. Call it to browse when you do not know what to search for.',
      tools: 'default',
      fixedInput: { budget: 3000 },
    },
  },

  async run({ source, version: label, path, symbol, cursor, budget }, { store }) {
    const from = await resolveVersion(store, source, label);
    const { name } = from.source;
    if (symbol !== undefined && symbol !== '' && path === undefined) {
      const { listSymbols } = await import('../core/outline/list-outline.ts');
      const found = listSymbols(await findSymbols(store, from.version, symbol), { symbolPrefix: symbol });
      return symbolsFrom(name, found, { offset: Number(cursor ?? 0) || 0, budget });
    }
    const read = await openOutlines(store, from, path);
    return outlinePages(name, read, { symbol, cursor: cursor ?? null, budget });
  },
});

interface OutlineOptions {
  readonly symbol: string | undefined;
  readonly cursor: string | null;
  readonly budget: number;
}

async function outlinePages(
  name: string,
  read: ReadOutlines,
  { symbol, cursor, budget }: OutlineOptions,
): Promise<z.output<typeof Outline>> {
  const { listSymbols, outlinePage } = await import('../core/outline/list-outline.ts');
  const pages: OutlinePage[] = [];
  const symbols: SymbolEntry[] = [];
  let tokens = 0;
  let after = cursor;
  for (;;) {
    const batch = await read(after, BATCH_SIZE);
    for (const { url, ...page } of batch) {
      const pagePath = chunkPath(url);
      const entries = page.chunks.map((chunk) => ({ path: pagePath, chunk, outline: page.outline }));
      const found =
        symbol === undefined
          ? { pages: [outlinePage({ ...page, url, path: pagePath })].filter(({ sections }) => sections.length > 0) }
          : { symbols: listSymbols({ entries }, { symbolPrefix: symbol }) };
      tokens += estimateTokens(JSON.stringify(found));
      // At least one page, so that a caller that follows the cursor makes progress.
      if (tokens > budget && after !== cursor) return resultOf(name, { pages, symbols }, after);
      after = url;
      pages.push(...(found.pages ?? []));
      symbols.push(...(found.symbols ?? []));
    }
    if (batch.length < BATCH_SIZE) return resultOf(name, { pages, symbols }, null);
  }
}

/** At least one symbol, so that a caller that follows the cursor makes progress. */
function symbolsFrom(
  source: string,
  found: readonly SymbolEntry[],
  { offset, budget }: { readonly offset: number; readonly budget: number },
): z.output<typeof Outline> {
  let tokens = 0;
  const over = found.findIndex((entry, at) => {
    if (at >= offset) tokens += estimateTokens(JSON.stringify(entry));
    return at > offset && tokens > budget;
  });
  const end = over === -1 ? found.length : over;
  return resultOf(source, { pages: [], symbols: found.slice(offset, end) }, over === -1 ? null : String(end));
}

interface Outlined {
  readonly pages: readonly OutlinePage[];
  readonly symbols: readonly SymbolEntry[];
}

function resultOf(source: string, { pages, symbols }: Outlined, nextCursor: string | null): z.output<typeof Outline> {
  const copies = pages.map((page) => ({
    ...page,
    sections: page.sections.map((section) => ({ ...section, headings: [...section.headings] })),
  }));
  return { source, isTruncated: nextCursor !== null, nextCursor, pages: copies, symbols: [...symbols] };
}
