// Checks that every fenced block of real Markdown is extracted byte for byte, apart from the indentation of its container. The
// blocks of both sides are found by an independent scanner, which shares no code with the product.
//
//   node bench/extract/markdown-fences.ts FOLDER…

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extractMarkdown } from '../../src/core/extract/markdown/markdown.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';
import { writeResult } from '../support/write-result.ts';

interface OpenFence {
  readonly indent: number;
  readonly close: RegExp;
  readonly lines: string[];
}

function fencesOf(text: string): readonly string[] {
  const blocks: string[] = [];
  let open: OpenFence | null = null;
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    if (open === null) {
      const [, prefix = '', mark] = /^([ \t]*(?:> ?)?(?:[-*+] +|\d+\. +)?)(`{3,}|~{3,})[^`]*$/.exec(line) ?? [];
      if (mark === undefined) continue;
      open = { indent: prefix.length, close: new RegExp(`^[ \\t>]*${mark}${mark[0]}*\\s*$`), lines: [] };
    } else if (open.close.test(line)) {
      blocks.push(open.lines.join('\n'));
      open = null;
    } else {
      open.lines.push(line.replace(new RegExp(`^[ \\t>]{0,${open.indent}}`), ''));
    }
  }
  return blocks;
}

let files = 0;
let fences = 0;
const lost: string[] = [];
for (const folder of process.argv.slice(2)) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.mdx?$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const text = readFileSync(path, 'utf8');
    const url = pageUrl('https://docs.test/page.md');
    const { document } = extractMarkdown({ url, text, isMdx: entry.name.endsWith('x') });
    const found = new Map<string, number>();
    for (const block of fencesOf(document.text)) found.set(block, (found.get(block) ?? 0) + 1);
    files += 1;
    for (const block of fencesOf(text)) {
      const left = found.get(block) ?? 0;
      fences += 1;
      if (left === 0) lost.push(entry.name);
      else found.set(block, left - 1);
    }
  }
}
writeResult('markdown-fences', { files, fences, exact: fences - lost.length, lost: lost.slice(0, 50) });
