// Plain text: notes and logs. Finding its structure is left to the chunker.

import { decodePage } from '../decode/charset.ts';
import { cleanLine, cleanText } from '../decode/clean-text.ts';
import { NO_METADATA, textDocument, type Extractor } from '../extractor.ts';
import { buildLinkList } from '../markdown/link-list.ts';

export const plainText: Extractor = {
  name: 'plain-text',
  version: 1,
  mediaTypes: ['text/plain', 'text/csv'],
  extensions: ['txt', 'text', 'org', 'log', 'csv', 'tsv', 'nfo'],

  extract(page) {
    const text = normalizeText(decodePage(page));
    const { links, dropped } = buildLinkList(bareLinks(text), page.url);
    const title = titleOf(text);
    return {
      document: textDocument(page, { format: 'text', text, links, ...(title === null ? {} : { title }) }),
      metadata: { ...NO_METADATA, linksDropped: dropped },
    };
  },
};

/** A character that the next one overprints, as in bold and underlined man pages. */
// oxlint-disable-next-line no-control-regex
const OVERSTRIKE = /[^\n]\u0008/g;

/** Cleans text, undoes the overstrikes of man pages, trims line ends and adds one final line feed. */
export function normalizeText(text: string): string {
  const unstruck = text.includes('\b') ? text.replace(OVERSTRIKE, '') : text;
  const lines = cleanText(unstruck)
    .split('\n')
    .map((line) => line.trimEnd());
  let last = lines.length;
  while (last > 0 && lines[last - 1] === '') last -= 1;
  return `${lines.slice(0, last).join('\n')}\n`;
}

/** The first line with words, unless it is as long as a paragraph. */
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
