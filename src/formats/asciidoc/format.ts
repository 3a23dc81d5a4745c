// AsciiDoc, before its code is loaded.

import { lazyExtractor, type Extractor } from '../../core/extract/extractor.ts';

export const asciidoc: Extractor = lazyExtractor(
  {
    name: 'asciidoc',
    version: 2,
    mediaTypes: ['text/asciidoc', 'text/x-asciidoc'],
    extensions: ['adoc', 'asciidoc', 'asc'],
    narrows: { broader: 'plain-text', recognizes: looksLikeAsciidoc },
  },
  async () => (await import('./asciidoc.ts')).extractAsciidoc,
);

/** A text file that begins with a title and uses a macro, block attribute or description list. */
function looksLikeAsciidoc(head: string): boolean {
  const begins = /^\s*(?:\/\/[^\n]*\n\s*|:[\w-]+:[^\n]*\n\s*)*(?:= \S|\S[^\n]{2,120}\n={3,}\n)/.test(head);
  if (/^[\w.-]{1,60}\(\d\w{0,3}\)\n={3,}\n/.test(head)) return true;
  return (
    begins &&
    /^(?:\[(?:verse|source|quote|NOTE|TIP|IMPORTANT|WARNING|CAUTION|\[|cols|horizontal|listing|synopsis)|include::|ifdef::|ifndef::|:[\w-]+:(?: |$)|\|===|[^\n]{1,120}::$|== \S)/m.test(
      head,
    )
  );
}
