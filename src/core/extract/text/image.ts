// Images, by name only: the bytes of one are never interpreted. A bundle carries them, a library does not.

import { titleFromUrl } from '../decode/media-type.ts';
import { NO_METADATA, textDocument, type Extractor } from '../extractor.ts';

export const image: Extractor = {
  name: 'image',
  version: 1,
  mediaTypes: [
    'image/png',
    'image/jpeg',
    'image/gif',
    'image/webp',
    'image/avif',
    'image/bmp',
    'image/svg+xml',
    'image/x-icon',
    'image/vnd.microsoft.icon',
  ],
  extensions: ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'bmp', 'svg', 'ico'],

  extract(page) {
    const name = titleFromUrl(page.url);
    return {
      document: textDocument(page, { format: 'image', text: `${name}\n${wordsOf(name)}\n` }),
      metadata: NO_METADATA,
    };
  },
};

/** `login-flow_v2.png` → `login flow v2`, for search. */
function wordsOf(name: string): string {
  return name
    .replace(/\.[A-Za-z0-9]+$/, '')
    .replace(/[-_.+~]+/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .trim();
}
