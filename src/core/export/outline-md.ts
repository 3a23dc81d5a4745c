// outline.md: the files of a bundle and their headings, each with the chunk where it begins.

import type { Bundle, BundlePage } from './bundle/bundle.ts';
import { oneLine } from './one-line.ts';

export function* outlineMd({ about, pages }: Bundle): Generator<string> {
  yield `# Outline of ${oneLine(about.name)}\n`;
  for (const page of pages) yield `\n${pageOutline(page)}`;
}

function pageOutline(page: BundlePage): string {
  const lines = [`## ${oneLine(page.path, 500)}\n`, `${oneLine(page.title)}\n`];
  let above: readonly string[] = [];
  for (const chunk of page.chunks) {
    const shared = chunk.headings.findIndex((heading, depth) => heading !== above[depth]);
    if (shared !== -1) {
      chunk.headings.slice(shared).forEach((heading, depth) => {
        lines.push(`${'  '.repeat(shared + depth)}- ${oneLine(heading)} (${chunk.ref})`);
      });
    }
    above = chunk.headings;
  }
  return `${lines.join('\n')}\n`;
}
