// Shows the response body stored for a page, which is kept so that the page can be reprocessed without the network. It is
// returned as text, never as something a browser would execute.

import { z } from 'zod';
import { action } from './action.ts';
import { PAGE_REFERENCE, resolvePage } from './support/resolve.ts';

export const showBody = action({
  name: 'show_body',
  summary: 'Show the stored response body of a page',
  effect: 'read',
  input: z.strictObject({
    ...PAGE_REFERENCE,
    maxBytes: z.int().min(1).max(10_000_000).default(200_000).describe('A longer body is truncated'),
  }),
  output: z.object({
    url: z.string(),
    mediaType: z.string(),
    isStored: z.boolean(),
    bytes: z.int().describe('Size of the whole body'),
    isTruncated: z.boolean(),
    text: z.string().describe('Decoded as UTF-8'),
  }),
  bindings: {
    cli: {
      command: 'body',
      group: 'inspect',
      positional: ['source', 'url'],
      example: 'pinakes body docs.example.dev https://docs.example.dev/guide',
    },
    http: { method: 'GET', path: '/sources/{source}/page/body' },
  },

  async run({ maxBytes, ...reference }, { store }) {
    const { page } = await resolvePage(store, reference);
    const { url, mediaType, body } = page;
    if (body === null) return { url, mediaType, isStored: false, bytes: 0, isTruncated: false, text: '' };
    const { decompressBody } = await import('../platform/compress-body.ts');
    const bytes = decompressBody(body);
    const text = new TextDecoder().decode(bytes.subarray(0, maxBytes));
    return { url, mediaType, isStored: true, bytes: bytes.byteLength, isTruncated: bytes.byteLength > maxBytes, text };
  },
});
