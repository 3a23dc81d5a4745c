// Word documents, presentations and OpenDocument texts, before their code is loaded.

import { DOCX, ODT, PPTX } from '../../core/extract/archive/zip-document-type.ts';
import { lazyExtractor, type Extractor } from '../../core/extract/extractor.ts';

export const docx: Extractor = lazyExtractor(
  {
    name: 'docx',
    version: 1,
    mediaTypes: [DOCX, 'application/vnd.ms-word.document.macroenabled.12'],
    extensions: ['docx', 'docm'],
  },
  async () => (await import('./docx.ts')).extractDocx,
);

export const pptx: Extractor = lazyExtractor(
  {
    name: 'pptx',
    version: 2,
    mediaTypes: [PPTX, 'application/vnd.openxmlformats-officedocument.presentationml.slideshow'],
    extensions: ['pptx', 'ppsx', 'pptm'],
  },
  async () => (await import('./pptx.ts')).extractPptx,
);

export const odt: Extractor = lazyExtractor(
  { name: 'odt', version: 1, mediaTypes: [ODT, `${ODT}-template`], extensions: ['odt', 'ott'] },
  async () => (await import('./odt.ts')).extractOdt,
);
