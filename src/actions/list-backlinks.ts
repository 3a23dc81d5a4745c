// Lists the pages of a source that link to one of its pages.

import { z } from 'zod';
import { action } from './action.ts';
import { PAGE_REFERENCE, resolvePage } from './support/resolve.ts';

export const listBacklinks = action({
  name: 'list_backlinks',
  summary: 'List the pages that link to a page',
  effect: 'read',
  input: z.strictObject({
    ...PAGE_REFERENCE,
    limit: z.int().min(1).max(1000).default(200).describe('Maximum number of pages'),
  }),
  output: z.object({
    url: z.string(),
    pages: z.array(z.object({ url: z.string(), title: z.string() })).describe('Sorted by URL'),
  }),
  bindings: {
    cli: {
      command: 'backlinks',
      group: 'inspect',
      positional: ['source', 'url'],
      example: 'pinakes backlinks docs.example.dev https://docs.example.dev/guide',
    },
    http: { method: 'GET', path: '/sources/{source}/page/backlinks' },
  },

  async run({ limit, ...reference }, { store }) {
    const { version, page } = await resolvePage(store, reference);
    const pages = await store.pages.backlinks(version.id, page.url, limit);
    return { url: page.url, pages: pages.map(({ url, title }) => ({ url, title })) };
  },
});
