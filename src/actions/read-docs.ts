// Reads a page, a section or a chunk.

import { z } from 'zod';
import { action } from './action.ts';
import { Suspicions, withSuspicions } from './support/injection-flags.ts';

export const readDocs = action({
  name: 'read_docs',
  summary: 'Read a page, one of its sections, or a passage that a search found',
  effect: 'read',
  input: z.strictObject({
    target: z
      .string()
      .trim()
      .min(1)
      .max(4000)
      .describe('The URL of a page, with #section if wanted, or the id of a passage'),
    source: z.string().optional().describe('Only this source'),
    version: z
      .string()
      .max(100)
      .optional()
      .describe('A version, a range such as ^3.2, or latest, which is the default'),
    section: z.string().max(500).optional().describe('The anchor or the text of a heading'),
    fromLine: z.int().min(1).default(1).describe('Where to go on: the `next` of an earlier answer'),
    budget: z.int().min(200).max(8000).default(2000).describe('Tokens of the answer at most'),
  }),
  output: z.object({
    source: z.string(),
    version: z.string(),
    url: z.string(),
    title: z.string(),
    checkedAt: z.iso.datetime().describe('When the page was last found current'),
    lines: z.object({ first: z.int(), last: z.int() }),
    text: z.string(),
    suspicions: Suspicions,
    tokens: z.int(),
    next: z.int().nullable().describe('The line to go on from; null at the end'),
  }),
  doors: {
    cli: { command: 'read', positional: ['target'], example: 'pinakes read https://docs.example.dev/guide#install' },
    http: [
      { method: 'GET', path: '/pages/{target}' },
      { method: 'GET', path: '/chunks/{target}' },
    ],
    mcp: { title: 'Read documentation', tools: 'default' },
  },

  async run(input, { store }) {
    // Late, because it brings the words of all languages, which help and mistakes can do without.
    const { createReadDocs } = await import('../search/read-docs.ts');
    return withSuspicions(await createReadDocs(store)(input));
  },
});
