// The pages of a source and their headings.

import { z } from 'zod';
import { estimateTokens } from '../core/model/chunk.ts';
import { action } from './action.ts';
import { listByPage } from './support/collect-by-page.ts';
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
    after: z.string().optional().describe('Go on after this page, from the answer before'),
    budget: z.int().min(100).max(1_000_000).default(100_000).describe('Tokens that the answer may have'),
  }),
  output: z.object({
    source: z.string(),
    cut: z.boolean().describe('The source is larger than one answer; narrow it by path'),
    after: z.string().nullable().describe('Ask again with this to go on; null at the end'),
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
  doors: {
    cli: { command: 'outline', positional: ['source'], example: 'pinakes outline docs.example.dev' },
    http: { method: 'GET', path: '/sources/{source}/outline' },
    mcp: { title: 'Outline of a source', tools: 'default', says: { budget: 3000 } },
  },

  async run({ source: name, version: label, path, after, budget }, { store }) {
    const { version } = await oneVersion(store, name, label);
    const { listOutline } = await import('../core/outline/list-outline.ts');
    const limits = { pathPrefix: path ?? '', maxChunks: MAX_CHUNKS };
    const { listed, cut } = await listByPage(store, version, limits, (entries) => listOutline({ entries }));
    const first = after === undefined ? 0 : listed.findIndex((page) => page.path === after) + 1;
    const pages = withinBudget(
      listed.slice(first).map((page) => ({
        ...page,
        sections: page.sections.map((section) => ({ ...section, headings: [...section.headings] })),
      })),
      budget,
    );
    const isWhole = first + pages.length >= listed.length;
    return { source: name, cut, after: isWhole ? null : (pages.at(-1)?.path ?? null), pages };
  },
});

/** One page at least, so that whoever goes on arrives somewhere. */
function withinBudget<T>(pages: readonly T[], budget: number): T[] {
  const taken: T[] = [];
  let tokens = 0;
  for (const page of pages) {
    tokens += estimateTokens(JSON.stringify(page));
    if (tokens > budget && taken.length > 0) break;
    taken.push(page);
  }
  return taken;
}
