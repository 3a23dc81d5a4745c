// Jupyter notebooks: markdown cells become prose, code cells become fences, outputs are dropped.

import { z } from 'zod';
import { pinakesError } from '../model/errors.ts';
import type { Extractor } from './extractor.ts';
import { fenced } from './fenced.ts';
import { parseJson } from './json.ts';
import { extractMarkdown } from './markdown.ts';
import { titleFromUrl } from './media-type.ts';
import { pageText } from './page-text.ts';

const Source = z
  .union([z.string(), z.array(z.string())])
  .transform((lines) => (Array.isArray(lines) ? lines.join('') : lines));

const NotebookJson = z.object({
  cells: z.array(z.object({ cell_type: z.string(), source: Source })),
  metadata: z
    .object({
      title: z.string().optional(),
      kernelspec: z.object({ language: z.string().optional() }).optional(),
      language_info: z.object({ name: z.string().optional() }).optional(),
    })
    .default({}),
});

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
    const parsed = NotebookJson.safeParse(parseJson(pageText(page)));
    if (!parsed.success) throw pinakesError('extract.malformed', { url: page.url, as: 'notebook' });

    const { cells, metadata } = parsed.data;
    const language = metadata.kernelspec?.language ?? metadata.language_info?.name ?? '';
    const parts = cells.map(({ cell_type: kind, source }) => {
      if (source.trim() === '') return '';
      return kind === 'code' ? fenced(source, language) : source.trim();
    });
    const text = parts.filter((part) => part !== '').join('\n\n');
    const { document, facts } = extractMarkdown({ url: page.url, text, isMdx: false });
    const isNamed = document.outline.length > 0;
    return {
      document: { ...document, title: metadata.title ?? (isNamed ? document.title : titleFromUrl(page.url)) },
      facts,
    };
  },
};
