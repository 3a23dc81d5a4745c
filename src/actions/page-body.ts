// What was received for a page, as it is kept for making the page again without the network. It is told as text, never as
// something that a browser would run.

import { z } from 'zod';
import { bytesOfBody } from '../crawl/page/stored-page.ts';
import { action } from './action.ts';
import { onePage, WHICH_PAGE } from './support/resolve.ts';

export const pageBody = action({
  name: 'page_body',
  summary: 'Show what was received for a page',
  effect: 'read',
  input: z.strictObject({
    ...WHICH_PAGE,
    maxBytes: z.int().min(1).max(10_000_000).default(200_000).describe('What is longer is cut'),
  }),
  output: z.object({
    url: z.string(),
    mediaType: z.string(),
    isKept: z.boolean(),
    bytes: z.int().describe('Of the whole body'),
    isCut: z.boolean(),
    text: z.string().describe('Read as UTF-8'),
  }),
  doors: {
    cli: {
      command: 'body',
      positional: ['source', 'url'],
      example: 'pinakes body docs.example.dev https://docs.example.dev/guide',
    },
    http: { method: 'GET', path: '/sources/{source}/page/body' },
  },

  async run({ maxBytes, ...asked }, { store }) {
    const { page } = await onePage(store, asked);
    const { url, mediaType, body } = page;
    if (body === null) return { url, mediaType, isKept: false, bytes: 0, isCut: false, text: '' };
    const bytes = bytesOfBody(body);
    const text = new TextDecoder().decode(bytes.subarray(0, maxBytes));
    return { url, mediaType, isKept: true, bytes: bytes.byteLength, isCut: bytes.byteLength > maxBytes, text };
  },
});
