// Lists every source with its versions.

import { z } from 'zod';
import { countPages } from '../library/count-pages.ts';
import { action } from './action.ts';

export const listSources = action({
  name: 'list_sources',
  summary: 'List the documentation in the library',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    sources: z.array(
      z.object({
        source: z.string(),
        start: z.string(),
        versions: z.array(z.object({ version: z.string(), pages: z.int() })),
        addedAt: z.iso.datetime(),
        nextRunAt: z.iso.datetime().nullable().describe('Next scheduled run; null if there is none'),
      }),
    ),
  }),
  bindings: {
    cli: { command: 'list', positional: [], example: 'pinakes list' },
    http: { method: 'GET', path: '/sources' },
    mcp: {
      title: 'Indexed documentation',
      description:
        'List the indexed documentation with versions, size, status and freshness. Call it to choose `source` and `version` for the other tools.',
      tools: 'default',
    },
  },

  async run(_input, { store }) {
    const { sources, pagesOf } = await countPages(store);
    return {
      sources: sources.map(({ name, start, versions, createdAt, dueAt }) => ({
        source: name,
        start,
        versions: versions.map((version) => ({ version: version.label, pages: pagesOf(version) })),
        addedAt: createdAt.toISOString(),
        nextRunAt: dueAt?.toISOString() ?? null,
      })),
    };
  },
});
