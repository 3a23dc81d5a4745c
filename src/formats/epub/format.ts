// Books, before their code is loaded.

import { EPUB } from '../../core/extract/archive/zip-document-type.ts';
import { lazyExtractor, type Extractor } from '../../core/extract/extractor.ts';

export const epub: Extractor = lazyExtractor(
  { name: 'epub', version: 1, mediaTypes: [EPUB], extensions: ['epub'] },
  async () => (await import('./epub.ts')).extractEpub,
);
