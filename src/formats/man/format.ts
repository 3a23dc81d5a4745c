// Manual pages, before their code is loaded.

import { lazyExtractor, type Extractor } from '../../core/extract/extractor.ts';

export const man: Extractor = lazyExtractor(
  {
    name: 'man',
    version: 2,
    mediaTypes: ['text/troff', 'application/x-troff-man'],
    extensions: ['man', 'mdoc', 'roff'],
    narrows: {
      broader: 'plain-text',
      recognizes: (head) =>
        /^(?:\.\\"|'\\"|\.(?:TH|Dd|so|SH|Sh) )/.test(head.trimStart()) && /^\.(?:TH|Dd|so|SH|Sh) /m.test(head),
    },
  },
  async () => (await import('./man.ts')).extractMan,
);
