// Lists the pages of a source with their headings.

import { z } from 'zod';
import { estimateTokens } from '../core/model/chunk.ts';
import { action } from './action.ts';
import { collectByPage } from './support/collect-by-page.ts';
import { resolveVersion } from './support/resolve.ts';

const MAX_CHUNKS = 50_000;

export const outlineSource = action({
  name: 'outline',
  summary: 'List the pages of a source with their headings',
  effect: 'read',
  input: z.strictObject({
    source: z.string().describe('The name of a source'),
    version: z.string().optional().describe('The version; the newest by default'),
    path: z.string().optional().describe('Only pages whose path or URL starts with this'),
    cursor: z.string().optional().describe('Where to continue: `nextCursor` of the previous result'),
    budget: z.int().min(100).max(1_000_000).default(100_000).describe('Maximum tokens of the result'),
  }),
  output: z.object({
    source: z.string(),
    truncated: z.boolean().describe('The source exceeds one result; narrow it with path'),
    nextCursor: z.string().nullable().describe('Pass it as `cursor` for more; null at the end'),
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
  bindings: {
    cli: { command: 'outline', positional: ['source'], example: 'pinakes outline docs.example.dev' },
    http: { method: 'GET', path: '/sources/{source}/outline' },
    mcp: { title: 'Outline of a source', tools: 'default', fixedInput: { budget: 3000 } },
  },

  async run({ source: name, version: label, path, cursor, budget }, { store }) {
    const { version } = await resolveVersion(store, name, label);
    const { listOutline } = await import('../core/outline/list-outline.ts');
    const limits = { pathPrefix: path ?? '', maxChunks: MAX_CHUNKS };
    const { collected: outlined, truncated } = await collectByPage(store, version, limits, (entries) =>
      listOutline({ entries }),
    );
    const first = cursor === undefined ? 0 : outlined.findIndex((page) => page.path === cursor) + 1;
    const pages = withinBudget(
      outlined.slice(first).map((page) => ({
        ...page,
        sections: page.sections.map((section) => ({ ...section, headings: [...section.headings] })),
      })),
      budget,
    );
    const isWhole = first + pages.length >= outlined.length;
    return { source: name, truncated, nextCursor: isWhole ? null : (pages.at(-1)?.path ?? null), pages };
  },
});

/** Returns at least one page, so that a caller that follows the cursor makes progress. */
function withinBudget<T>(pages: readonly T[], budget: number): T[] {
  const fitting: T[] = [];
  let tokens = 0;
  for (const page of pages) {
    tokens += estimateTokens(JSON.stringify(page));
    if (tokens > budget && fitting.length > 0) break;
    fitting.push(page);
  }
  return fitting;
}
