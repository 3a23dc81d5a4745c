// Jupyter notebooks: Markdown cells become prose, code cells become fences, outputs are dropped. Fields are read by hand:
// a schema library would double the startup time of a parser thread.

import { fenceFor } from '../../markdown/code-fence.ts';
import { pinakesError } from '../../model/errors.ts';
import { decodePage } from '../decode/charset.ts';
import { cleanLine } from '../decode/clean-text.ts';
import { titleFromUrl } from '../decode/media-type.ts';
import type { Extractor } from '../extractor.ts';
import { extractMarkdown } from '../markdown/markdown.ts';
import { fieldOf, textOf } from './json-fields.ts';
import { parseJson } from '../../text/parse-json.ts';

export const notebook: Extractor = {
  name: 'notebook',
  version: 1,
  mediaTypes: ['application/x-ipynb+json'],
  extensions: ['ipynb'],
  narrows: {
    broader: 'json',
    recognizes: (head) => /"cell_type"\s*:\s*"(?:markdown|code|raw)"/.test(head) && /^\s*\{/.test(head),
  },

  extract(page) {
    const book = parseJson(decodePage(page));
    const cells = fieldOf(book, 'cells');
    if (!Array.isArray(cells)) throw pinakesError('extract.malformed', { url: page.url, as: 'notebook' });

    const described = fieldOf(book, 'metadata');
    const language =
      textOf(fieldOf(described, 'kernelspec'), 'language') || textOf(fieldOf(described, 'language_info'), 'name');
    const parts = cells.map((cell: unknown) => cellText(cell, language)).filter((part) => part !== '');
    const { document, metadata } = extractMarkdown({ url: page.url, text: parts.join('\n\n'), isMdx: false });
    const title = document.outline.length > 0 ? document.title : titleFromUrl(page.url);
    return { document: { ...document, title: cleanLine(textOf(described, 'title')) || title }, metadata };
  },
};

function cellText(cell: unknown, language: string): string {
  const source = fieldOf(cell, 'source');
  const lines = Array.isArray(source) ? source.filter((line) => typeof line === 'string').join('') : source;
  if (typeof lines !== 'string' || lines.trim() === '') return '';
  return fieldOf(cell, 'cell_type') === 'code' ? fenceCode(lines, language) : lines.trim();
}

function fenceCode(code: string, language: string): string {
  const fence = fenceFor(code);
  const info = language.replace(/[^\w+#.-]/g, '').slice(0, 40);
  return `${fence}${info}\n${code.endsWith('\n') ? code : `${code}\n`}${fence}`;
}
