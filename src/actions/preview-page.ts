// Shows what would be indexed of one page. Nothing is stored.

import { z } from 'zod';
import { pageUrl } from '../core/model/page-url.ts';
import { action } from './action.ts';

export const previewPage = action({
  name: 'preview_page',
  summary: 'Fetch one page and show what would be indexed',
  effect: 'network',
  input: z.strictObject({ url: z.string().describe('URL of the page') }),
  output: z.object({
    url: z.string(),
    mediaType: z.string().nullable(),
    title: z.string(),
    description: z.string().nullable(),
    language: z.string().nullable(),
    verdict: z.string().describe('content, or why the page would be excluded'),
    pageKind: z.string(),
    extractor: z.string(),
    text: z.string().describe('The page as Markdown'),
    chunks: z.int(),
    outline: z.array(z.object({ level: z.int(), text: z.string(), anchor: z.string().nullable() })),
    links: z.array(z.object({ url: z.string(), text: z.string(), isInContent: z.boolean() })),
  }),
  bindings: {
    cli: {
      command: 'preview',
      group: 'index',
      positional: ['url'],
      example: 'pinakes preview https://docs.example.dev/intro',
    },
    http: { method: 'POST', path: '/preview' },
  },

  async run({ url }, { preview, signal }) {
    const { outline, links, ...page } = await preview(pageUrl(url), signal);
    return {
      ...page,
      outline: [...outline],
      links: links.map(({ inContent, ...link }) => ({ ...link, isInContent: inContent })),
    };
  },
});
