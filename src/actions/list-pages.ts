// The pages of a source, one part after the other.

import { z } from 'zod';
import { action } from './action.ts';
import { oneVersion } from './one-version.ts';

export const PageView = z.object({
  url: z.string(),
  title: z.string(),
  mediaType: z.string(),
  language: z.string().nullable(),
  chunks: z.int(),
  changedAt: z.iso.datetime().describe('When its text last changed'),
  checkedAt: z.iso.datetime().describe('When it was last found current'),
});

export type PageView = z.output<typeof PageView>;

export const listPages = action({
  name: 'list_pages',
  summary: 'List the pages of a source',
  effect: 'read',
  input: z.strictObject({
    source: z.string().min(1).describe('The name of a source'),
    version: z.string().optional().describe('The version; the newest unless given'),
    after: z
      .string()
      .regex(/^[\da-f]{32}$/)
      .optional()
      .describe('Where the list goes on, from the answer before'),
    limit: z.int().min(1).max(10_000).default(100).describe('How many to show'),
  }),
  output: z.object({
    source: z.string(),
    version: z.string(),
    pages: z.array(PageView),
    after: z.string().nullable(),
  }),
  doors: {
    cli: { command: 'pages', positional: ['source'], example: 'pinakes pages docs.example.dev --limit 20' },
    http: { method: 'GET', path: '/sources/{source}/pages' },
  },

  async run({ source: name, version: label, after, limit }, { store }) {
    const { source, version } = await oneVersion(store, name, label);
    const found = await store.pages.list(version.id, after ?? null, limit);
    const pages = found.pages.map(({ url, title, mediaType, language, chunks, changedAt, checkedAt }) => {
      const times = { changedAt: changedAt.toISOString(), checkedAt: checkedAt.toISOString() };
      return { url, title, mediaType, language, chunks, ...times };
    });
    return { source: source.name, version: version.label, pages, after: found.after };
  },
});
