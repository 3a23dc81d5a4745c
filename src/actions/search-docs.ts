// Finds passages.

import { z } from 'zod';
import { action } from './action.ts';

const Passage = z.object({
  source: z.string(),
  version: z.string(),
  url: z.string(),
  title: z.string(),
  headings: z.array(z.string()).describe('From the page title down to the passage'),
  lines: z.object({ first: z.int(), last: z.int() }),
  checkedAt: z.iso.datetime().describe('When the page was last found current'),
  chunk: z.string().describe('The id of the passage'),
  text: z.string(),
});

export const searchDocs = action({
  name: 'search_docs',
  summary: 'Find passages in the indexed documentation',
  effect: 'read',
  input: z.strictObject({
    query: z.string().trim().min(1).max(10_000).describe('Words or a question'),
    source: z.string().optional().describe('Only this source'),
    limit: z.int().min(1).max(50).default(8).describe('Passages at most'),
  }),
  output: z.object({ mode: z.literal('lexical'), searched: z.array(z.string()), passages: z.array(Passage) }),
  doors: { cli: { command: 'search', positional: ['query'], example: 'pinakes search "connection pool"' } },

  run: (input, { search }) => search(input),
});
