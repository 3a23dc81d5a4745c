// PDF, before its code and its library are loaded.

import { lazyExtractor, type Extractor } from '../../core/extract/extractor.ts';

export const pdf: Extractor = lazyExtractor(
  { name: 'pdf', version: 3, mediaTypes: ['application/pdf', 'application/x-pdf'], extensions: ['pdf'] },
  async () => (await import('./pdf.ts')).extractPdf,
);
