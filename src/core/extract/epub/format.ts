// Books, before their code is loaded.

import { EPUB } from '../archive/zip-document-type.ts';
import { lazyExtractor, type Extractor } from '../extractor.ts';

export const epub: Extractor = lazyExtractor(
  { name: 'epub', version: 1, mediaTypes: [EPUB], extensions: ['epub'] },
  async () => (await import('./epub.ts')).extractEpub,
);
