// Lists the functions, classes, operations and options that a source defines.

import { z } from 'zod';
import type { IndexEntry } from '../core/lexical/segment/fields.ts';
import { action } from './action.ts';
import { collectByPage } from './support/collect-by-page.ts';
import { resolveVersion } from './support/resolve.ts';

const MAX_CHUNKS = 50_000;

export const listSourceSymbols = action({
  name: 'symbols',
  summary: 'List the functions, classes, operations and options that a source defines',
  effect: 'read',
  input: z.strictObject({
    source: z.string().describe('The name of a source'),
    version: z.string().optional().describe('The version; the newest by default'),
    prefix: z.string().optional().describe('Only symbols with this prefix'),
    path: z.string().optional().describe('Only pages whose path or URL starts with this'),
  }),
  output: z.object({
    source: z.string(),
    truncated: z.boolean().describe('The source exceeds one result; narrow it with path'),
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
  bindings: {
    cli: { command: 'symbols', positional: ['source'], example: 'pinakes symbols docs.example.dev --prefix read' },
    http: { method: 'GET', path: '/sources/{source}/symbols' },
  },

  async run({ source: name, version: label, prefix, path }, { store }) {
    const { version } = await resolveVersion(store, name, label);
    const { listSymbols } = await import('../core/outline/list-outline.ts');
    const limits = { pathPrefix: path ?? '', maxChunks: MAX_CHUNKS };
    const { collected, truncated } = await collectByPage(store, version, limits, (entries) => entries.map(withoutText));
    const symbols = listSymbols({ entries: collected }, prefix === undefined ? {} : { symbolPrefix: prefix });
    return { source: name, truncated, symbols };
  },
});

/** A list of symbols does not need the text, and a large source has much of it. */
function withoutText({ chunk, ...entry }: IndexEntry): IndexEntry {
  return { ...entry, chunk: { ...chunk, text: '' } };
}
