// Finds passages.

import { z } from 'zod';
import { action } from './action.ts';
import { Suspicions, withSuspicions } from './support/injection-flags.ts';

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
  suspicions: Suspicions,
  why: z.record(z.string(), z.number()).optional().describe('What each reason gave to the score'),
});

export const searchDocs = action({
  name: 'search_docs',
  summary: 'Find passages in the indexed documentation',
  effect: 'read',
  input: z.strictObject({
    query: z.string().trim().min(1).max(8192).describe('Words or a question'),
    source: z.string().optional().describe('Only this source'),
    version: z
      .string()
      .max(100)
      .optional()
      .describe('A version, a range such as ^3.2, or latest, which is the default'),
    path: z.string().max(2000).optional().describe('Only pages whose path or URL begins with this'),
    kind: z
      .enum(['prose', 'code', 'table', 'data', 'operation', 'image'])
      .optional()
      .describe('Only passages of this kind'),
    heading: z.string().max(500).optional().describe('Only below a heading that begins with this'),
    symbol: z.string().max(500).optional().describe('Only where a symbol that begins with this is defined'),
    limit: z.int().min(1).max(50).default(8).describe('Passages at most'),
    budget: z.int().min(200).max(8000).default(2000).describe('Tokens of the whole answer at most'),
    offset: z.int().min(0).max(1000).default(0).describe('Where to go on: the `next` of an earlier answer'),
    explain: z.boolean().default(false).describe('Say why each page was found'),
  }),
  output: z.object({
    mode: z.enum(['lexical', 'hybrid']).describe('Words alone, or words and vectors'),
    searched: z.array(z.string()),
    passages: z.array(Passage),
    tokens: z.int().describe('Of all passages with their heads'),
    next: z.int().nullable().describe('The offset of the next part; null when there is nothing more'),
    corrections: z.array(z.object({ word: z.string(), readAs: z.array(z.string()).readonly() })),
    near: z.array(z.string()).describe('Titles that come near, where nothing was found'),
  }),
  doors: {
    cli: { command: 'search', positional: ['query'], example: 'pinakes search "connection pool"' },
    http: { method: 'GET', path: '/search' },
    mcp: { title: 'Search documentation', tools: 'default' },
  },

  async run(input, { search }) {
    const answer = await search(input);
    return { ...answer, passages: answer.passages.map(withSuspicions) };
  },
});
