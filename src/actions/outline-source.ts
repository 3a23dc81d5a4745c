// The pages of a source and their headings.

import { z } from 'zod';
import { listOutline } from '../core/lexical/listings.ts';
import { action } from './action.ts';
import { listableOf } from './library-of.ts';
import { oneVersion } from './one-version.ts';

const MAX_CHUNKS = 50_000;

export const outlineSource = action({
  name: 'outline',
  summary: 'List the pages of a source and their headings',
  effect: 'read',
  input: z.strictObject({
    source: z.string().describe('The name of a source'),
    version: z.string().optional().describe('The version; the newest unless given'),
    path: z.string().optional().describe('Only pages whose path or URL begins with this'),
  }),
  output: z.object({
    source: z.string(),
    cut: z.boolean().describe('The source is larger than one answer; narrow it by path'),
    pages: z.array(
      z.object({
        path: z.string(),
        title: z.string(),
        sections: z.array(
          z.object({
            headings: z.array(z.string()),
            anchor: z.string().nullable(),
            chunk: z.string(),
            line: z.int(),
            tokens: z.int(),
          }),
        ),
      }),
    ),
  }),
  doors: { cli: { command: 'outline', positional: ['source'], example: 'pinakes outline docs.example.dev' } },

  async run({ source: name, version: label, path }, { store }) {
    const { version } = await oneVersion(store, name, label);
    const { index, cut } = await listableOf(store, version, { pathPrefix: path ?? '', maxChunks: MAX_CHUNKS });
    const pages = listOutline(index);
    return {
      source: name,
      cut,
      pages: pages.map((page) => ({
        ...page,
        sections: page.sections.map((section) => ({ ...section, headings: [...section.headings] })),
      })),
    };
  },
});
