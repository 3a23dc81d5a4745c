// catalog.llm.md: every chunk in one line, with its size and its beginning, for choosing what to open.

import type { Bundle, BundleChunk, BundlePage } from './bundle/bundle.ts';
import { oneLine } from './one-line.ts';

export function* catalogMd({ about, pages }: Bundle): Generator<string> {
  yield `# Catalogue of ${oneLine(about.name)}\n`;
  for (const page of pages) yield `\n${pageCatalog(page)}`;
}

function pageCatalog(page: BundlePage): string {
  return [`## ${oneLine(page.path, 500)}\n`, ...page.chunks.map((chunk) => chunkLine(page, chunk)), ''].join('\n');
}

function chunkLine(page: BundlePage, chunk: BundleChunk): string {
  const headings = chunk.headings[0] === page.title ? chunk.headings.slice(1) : chunk.headings;
  const name = chunk.symbol ?? chunk.address ?? (headings.map((heading) => oneLine(heading)).join(' › ') || page.title);
  return `- ${chunk.ref} ${oneLine(name)} [${chunk.kind}, ${chunk.tokens} tokens]: ${chunk.summary}`;
}
