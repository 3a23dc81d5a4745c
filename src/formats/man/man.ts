// Manual pages in the macros man(7) and mdoc(7): sections, options as description lists, code, tables.

import { decodePage } from '../../core/extract/decode/charset.ts';
import { cleanText } from '../../core/extract/decode/clean-text.ts';
import type { Extraction, RawPage } from '../../core/extract/extractor.ts';
import { markupDocument, type Markup } from '../../core/extract/markup/markup-document.ts';
import { createManBlocks } from './man-blocks.ts';
import { writeManRequest } from './man-macros.ts';
import { writeMdocRequest } from './mdoc-macros.ts';
import { readRoff, type RoffLine } from './roff-lines.ts';
import { readTbl } from './tbl.ts';

export function extractMan(page: RawPage): Extraction {
  return markupDocument(page, writeMan(cleanText(decodePage(page))));
}

function writeMan(text: string): Markup {
  const isMdoc = /^\.\s*Dd\b/m.test(text);
  const writeRequest = isMdoc ? writeMdocRequest : writeManRequest;
  const blocks = createManBlocks();
  const { lines, strings } = readRoff(text);
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as RoffLine;
    if (line.kind === 'text') blocks.text(line.text, strings);
    else if (line.name === 'TS') {
      const { html, end } = readTbl(lines, at + 1, strings);
      blocks.raw(html);
      at = end;
    } else if (line.name === 'EQ' || line.name === 'PS') {
      const close = line.name === 'EQ' ? 'EN' : 'PE';
      while (at < lines.length && !isRequest(lines[at], close)) at += 1;
    } else writeRequest(line, blocks, strings);
  }
  return { html: blocks.end(), title: blocks.title() };
}

function isRequest(line: RoffLine | undefined, name: string): boolean {
  return line?.kind === 'request' && line.name === name;
}
