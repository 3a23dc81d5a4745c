// A page of a bundle as a document. Its text is joined from its chunks; fences and table headers that were repeated at a cut stay
// repeated.

import { joinChunks } from '../../chunk/finalize-chunks.ts';
import { createOutliner } from '../../extract/markdown/headings.ts';
import { scanBlocks } from '../../markdown/scan-blocks.ts';
import type { Chunk } from '../../model/chunk.ts';
import type { OutlineEntry } from '../../model/document.ts';
import type { ReadBundlePage } from './read-bundle.ts';

export interface ImportedDocument {
  readonly text: string;
  readonly outline: readonly OutlineEntry[];
}

export function importedDocument({ chunks, outline }: ReadBundlePage): ImportedDocument {
  return { text: `${joinChunks({ chunks, repeats: [] })}\n`, outline: outline ?? outlineOf(chunks) };
}

/**
 * The sections of a file: the headings in the texts, at their lines, and before them those of a chunk's heading path that no text has. Anchors
 * follow from the headings.
 */
function outlineOf(chunks: readonly Chunk[]): OutlineEntry[] {
  const outline: OutlineEntry[] = [];
  const texts = new Set<string>();
  const { record, entries } = createOutliner();
  for (const chunk of chunks.filter(isMarkdown)) {
    const known = entries.length;
    for (const { line, number } of headingLines(chunk)) record(line, number);
    const inText = entries.slice(known);
    const { headings, anchor, lines } = chunk;
    for (const { text } of inText) texts.add(text);
    headings.forEach((text, depth) => {
      const isLast = depth === headings.length - 1;
      if (!texts.has(text))
        outline.push({ level: Math.min(6, depth + 1), text, anchor: isLast ? anchor : null, line: lines.first });
      texts.add(text);
    });
    inText.forEach((entry) => {
      const isOwn = entry.line === lines.first && entry.text === headings.at(-1);
      outline.push({ ...entry, anchor: isOwn ? anchor : entry.anchor });
    });
  }
  return outline;
}

/** In a file of code a line that begins with # is a comment, and keys of data are not headings; neither has an anchor. */
function isMarkdown({ passageKind, anchor }: Chunk): boolean {
  return passageKind === 'prose' || passageKind === 'table' || (passageKind === 'code' && anchor !== null);
}

function headingLines({ text, lines }: Chunk): ReadonlyArray<{ readonly line: string; readonly number: number }> {
  return scanBlocks(text)
    .filter(({ kind }) => kind === 'heading')
    .map(({ start, end }) => ({
      line: text.slice(start, end).split('\n', 1)[0] ?? '',
      number: lines.first + text.slice(0, start).split('\n').length - 1,
    }));
}
