// reStructuredText, before its code is loaded.

import { lazyExtractor, type Extractor } from '../../core/extract/extractor.ts';

export const rst: Extractor = lazyExtractor(
  {
    name: 'rst',
    version: 2,
    mediaTypes: ['text/x-rst', 'text/prs.fallenstein.rst', 'text/restructured'],
    extensions: ['rst', 'rest'],
    narrows: { broader: 'plain-text', recognizes: looksLikeRst },
  },
  async () => (await import('./rst.ts')).extractRst,
);

/** A text file that has both an adorned heading and a directive, target or footnote. */
function looksLikeRst(head: string): boolean {
  return (
    /^\.\. (?:[a-z][\w:-]*::|_[^:\n]{1,80}:|\[[\w#*.-]{1,40}\] |\|[^|\n]{1,80}\| )/m.test(head) &&
    /^\S[^\n]{0,200}\n([=\-~^"'`#*+])\1{2,}\n/m.test(head)
  );
}
