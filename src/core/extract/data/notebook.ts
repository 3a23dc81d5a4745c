// Jupyter notebooks: markdown cells become prose, code cells become fences, outputs are dropped.
// Fields are read by hand: a schema library would double the time that a parsing thread takes to start.

import { pinakesError } from '../../model/errors.ts';
import { cleanLine } from '../decode/clean-text.ts';
import type { Extractor } from '../extractor.ts';
import { fenced } from '../fenced.ts';
import { parseJson } from './json.ts';
import { fieldOf, textOf } from './json-fields.ts';
import { extractMarkdown } from '../markdown/markdown.ts';
import { titleFromUrl } from '../decode/media-type.ts';
import { pageText } from '../page-text.ts';

export const notebook: Extractor = {
  name: 'notebook',
  version: 1,
  mediaTypes: ['application/x-ipynb+json'],
  extensions: ['ipynb'],
  narrows: {
    broader: 'json',
    recognises: (head) => /"cell_type"\s*:\s*"(?:markdown|code|raw)"/.test(head) && /^\s*\{/.test(head),
  },

  extract(page) {
    const book = parseJson(pageText(page));
    const cells = fieldOf(book, 'cells');
    if (!Array.isArray(cells)) throw pinakesError('extract.malformed', { url: page.url, as: 'notebook' });

    const metadata = fieldOf(book, 'metadata');
    const language =
      textOf(fieldOf(metadata, 'kernelspec'), 'language') || textOf(fieldOf(metadata, 'language_info'), 'name');
    const parts = cells.map((cell: unknown) => cellText(cell, language)).filter((part) => part !== '');
    const { document, facts } = extractMarkdown({ url: page.url, text: parts.join('\n\n'), isMdx: false });
    const named = document.outline.length > 0 ? document.title : titleFromUrl(page.url);
    return { document: { ...document, title: cleanLine(textOf(metadata, 'title')) || named }, facts };
  },
};

function cellText(cell: unknown, language: string): string {
  const source = fieldOf(cell, 'source');
  const lines = Array.isArray(source) ? source.filter((line) => typeof line === 'string').join('') : source;
  if (typeof lines !== 'string' || lines.trim() === '') return '';
  return fieldOf(cell, 'cell_type') === 'code' ? fenced(lines, language) : lines.trim();
}
