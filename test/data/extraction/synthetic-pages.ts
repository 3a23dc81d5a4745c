// The synthetic pages of pages/, with the ground truth given by their Markdown.

import { readFileSync, readdirSync } from 'node:fs';
import { load } from 'cheerio';
import { countWords } from './measure.ts';
import { readMarkdown } from './score.ts';
import type { Truth } from './truth.ts';

export interface SyntheticPage {
  readonly name: string;
  readonly url: string;
  readonly html: string;
  readonly expected: string;
  readonly truth: Truth;
}

const folder = new URL('pages/', import.meta.url);

export function syntheticPages(): SyntheticPage[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.html'))
    .sort()
    .map((file) => {
      const name = file.replace('.html', '');
      const html = readFileSync(new URL(file, folder), 'utf8');
      const expected = readFileSync(new URL(`${name}.expected.md`, folder), 'utf8');
      const { codes, headings, words } = readMarkdown(expected);
      const truth = {
        codes: codes.map(({ text, language }) => ({ texts: [text], language })),
        headings,
        words: Object.fromEntries(words),
        optional: Object.fromEntries(countWords(load(html)('title').first().text())),
      };
      return { name, url: 'https://kestrel.docs.test/guide', html, expected, truth };
    });
}
