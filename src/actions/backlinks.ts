// Which pages of a source lead to one of its pages.

import { z } from 'zod';
import { action } from './action.ts';
import { onePage, WHICH_PAGE } from './support/resolve.ts';

export const linkingPages = action({
  name: 'linking_pages',
  summary: 'List the pages whose text leads to a page',
  effect: 'read',
  input: z.strictObject({
    ...WHICH_PAGE,
    limit: z.int().min(1).max(1000).default(200).describe('How many to show'),
  }),
  output: z.object({
    url: z.string(),
    pages: z.array(z.object({ url: z.string(), title: z.string() })).describe('By their URLs'),
  }),
  doors: {
    cli: {
      command: 'linking',
      positional: ['source', 'url'],
      example: 'pinakes linking docs.example.dev https://docs.example.dev/guide',
    },
    http: { method: 'GET', path: '/sources/{source}/page/linking' },
  },

  async run({ limit, ...asked }, { store }) {
    const { version, page } = await onePage(store, asked);
    const pages = await store.pages.linking(version.id, page.url, limit);
    return { url: page.url, pages: pages.map(({ url, title }) => ({ url, title })) };
  },
});
