// The functions, classes, operations and options that a source defines.

import { z } from 'zod';
import type { IndexEntry } from '../core/lexical/standalone/lexical-index.ts';
import { action } from './action.ts';
import { listByPage } from './support/collect-by-page.ts';
import { oneVersion } from './one-version.ts';

const MAX_CHUNKS = 50_000;

export const symbolsOfSource = action({
  name: 'symbols',
  summary: 'List the functions, classes, operations and options that a source defines',
  effect: 'read',
  input: z.strictObject({
    source: z.string().describe('The name of a source'),
    version: z.string().optional().describe('The version; the newest unless given'),
    prefix: z.string().optional().describe('Only symbols that begin with this'),
    path: z.string().optional().describe('Only pages whose path or URL begins with this'),
  }),
  output: z.object({
    source: z.string(),
    cut: z.boolean().describe('The source is larger than one answer; narrow it by path'),
    symbols: z.array(
      z.object({
        symbol: z.string(),
        path: z.string(),
        anchor: z.string().nullable(),
        chunk: z.string(),
        line: z.int(),
      }),
    ),
  }),
  doors: {
    cli: { command: 'symbols', positional: ['source'], example: 'pinakes symbols docs.example.dev --prefix read' },
    http: { method: 'GET', path: '/sources/{source}/symbols' },
  },

  async run({ source: name, version: label, prefix, path }, { store }) {
    const { version } = await oneVersion(store, name, label);
    const { listSymbols } = await import('../core/outline/list-outline.ts');
    const limits = { pathPrefix: path ?? '', maxChunks: MAX_CHUNKS };
    const { listed, cut } = await listByPage(store, version, limits, (entries) => entries.map(withoutText));
    const symbols = listSymbols({ entries: listed }, prefix === undefined ? {} : { symbolPrefix: prefix });
    return { source: name, cut, symbols };
  },
});

/** A list of symbols needs none, and a large source has many. */
function withoutText({ chunk, ...entry }: IndexEntry): IndexEntry {
  return { ...entry, chunk: { ...chunk, text: '' } };
}
