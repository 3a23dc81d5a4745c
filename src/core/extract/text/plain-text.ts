// Plain text as it is: notes, man pages, reStructuredText. Its structure is for the chunker to find.

import { cleanLine, cleanText } from '../decode/clean-text.ts';
import { NO_FACTS, type Extractor } from '../extractor.ts';
import { linkList } from '../markdown/link-list.ts';
import { titleFromUrl } from '../decode/media-type.ts';
import { pageText } from '../page-text.ts';

export const plainText: Extractor = {
  name: 'plain-text',
  version: 1,
  mediaTypes: ['text/plain', 'text/x-rst', 'text/prs.fallenstein.rst', 'text/troff', 'text/asciidoc', 'text/csv'],
  extensions: ['txt', 'text', 'rst', 'adoc', 'asciidoc', 'org', 'man', 'log', 'csv', 'tsv', 'nfo'],

  extract(page) {
    const text = tidyText(pageText(page));
    const { links, dropped } = linkList(bareLinks(text), page.url);
    return {
      document: {
        url: page.url,
        format: 'text',
        title: titleOf(text) ?? titleFromUrl(page.url),
        description: null,
        language: null,
        codeLanguage: null,
        canonical: null,
        text,
        outline: [],
        links,
      },
      facts: { ...NO_FACTS, linksDropped: dropped },
    };
  },
};

/** A letter that the next one is printed over, as in bold and underlined man pages. */
// oxlint-disable-next-line no-control-regex
const OVERSTRIKE = /[^\n]\u0008/g;

/** Cleaned, overstrikes of man pages undone, no spaces at line ends, one final line feed. */
export function tidyText(text: string): string {
  const struck = text.includes('\b') ? text.replace(OVERSTRIKE, '') : text;
  const lines = cleanText(struck)
    .split('\n')
    .map((line) => line.trimEnd());
  let last = lines.length;
  while (last > 0 && lines[last - 1] === '') last -= 1;
  return `${lines.slice(0, last).join('\n')}\n`;
}

/** The first line with words, unless it is a paragraph. */
function titleOf(text: string): string | null {
  for (const line of text.slice(0, 4000).split('\n').slice(0, 30)) {
    const words = cleanLine(line);
    if (/[\p{L}\p{N}]/u.test(words)) return words.length <= 120 ? words : null;
  }
  return null;
}

function* bareLinks(text: string): Generator<{ readonly target: string; readonly text: string }> {
  for (const [url] of text.matchAll(/https?:\/\/[^\s<>"'`[\]{}|\\^]{1,2048}/g)) {
    yield { target: url.replace(/[.,;:!?)*_]{1,20}$/, ''), text: '' };
  }
}
