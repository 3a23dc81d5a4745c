// Shows what would be kept of one page. Nothing is stored.

import { z } from 'zod';
import { pageUrl } from '../core/model/page-url.ts';
import { action } from './action.ts';

export const previewPage = action({
  name: 'preview_page',
  summary: 'Fetch one page and show what would be kept of it',
  effect: 'read',
  input: z.strictObject({ url: z.string().describe('The page') }),
  output: z.object({
    url: z.string(),
    mediaType: z.string().nullable(),
    title: z.string(),
    description: z.string().nullable(),
    language: z.string().nullable(),
    verdict: z.string().describe('knowledge, or why the page would be left out'),
    kind: z.string(),
    readBy: z.string(),
    text: z.string().describe('The page as Markdown'),
    chunks: z.int(),
    outline: z.array(z.object({ level: z.int(), text: z.string(), anchor: z.string().nullable() })),
    links: z.array(z.object({ url: z.string(), text: z.string(), inContent: z.boolean() })),
  }),
  doors: {
    cli: { command: 'preview', positional: ['url'], example: 'pinakes preview https://docs.example.dev/intro' },
    http: { method: 'POST', path: '/preview' },
  },

  async run({ url }, { preview, signal }) {
    const { outline, links, ...page } = await preview(pageUrl(url), signal);
    return { ...page, outline: [...outline], links: [...links] };
  },
});
