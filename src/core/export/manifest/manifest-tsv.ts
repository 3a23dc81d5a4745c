// manifest.llm.tsv (format 4): what a bundle holds, in the fewest tokens. A row speaks of those below it: a directory of
// the files that follow, a file of its headings, a heading of its chunks. docs/formats.md describes each cell.

import type { Bundle, BundleChunk, BundlePage, PageList } from '../bundle/bundle.ts';
import { anchorOfHeading } from '../anchor-of-heading.ts';
import { hashText } from '../hash-text.ts';
import { writeLine } from '../tsv-cells.ts';

export const TSV_HEADER = 'llmx_manifest_llm_tsv';
export const TSV_FORMAT = '4';
/** The kind that needs no cell. */
export const USUAL_KIND = 'prose';
/** For a symbol that is the innermost heading. */
export const SAME_AS_HEADING = '=';
/** For a chunk that has no anchor although it has a heading. */
export const NO_ANCHOR = '-';

export function* manifestTsv({ about, indexId, pages }: Bundle): Generator<string> {
  const kinds = kindsOf(pages);
  const numbers = new Map(kinds.map((kind, number) => [kind, number]));
  yield `${TSV_HEADER}\t${TSV_FORMAT}\t${indexId}\n`;
  yield writeLine(['#', about.name, about.version, about.origin]);
  yield* kinds.map((kind, number) => writeLine(['K', number, kind]));
  let directory = '';
  for (const page of pages) {
    const slash = page.path.lastIndexOf('/');
    const own = page.path.slice(0, slash + 1);
    if (own !== directory) yield writeLine(['D', own]);
    directory = own;
    yield fileLine(page, page.path.slice(slash + 1), numbers);
    yield* chunkLines(page, numbers);
  }
}

function kindsOf(pages: PageList): string[] {
  const kinds = new Set<string>([USUAL_KIND]);
  for (const { mediaType, chunks } of pages) {
    kinds.add(mediaType);
    for (const { kind } of chunks) kinds.add(kind);
  }
  return [...kinds];
}

type Numbers = ReadonlyMap<string, number>;

function fileLine(page: BundlePage, name: string, kinds: Numbers): string {
  const { hash, mediaType, language, imageEnding, chunks } = page;
  const title = page.title === chunks[0]?.headings[0] ? null : page.title;
  return writeLine(['F', name, hashText(hash), kinds.get(mediaType) ?? 0, title, language, imageEnding]);
}

function* chunkLines({ chunks }: BundlePage, kinds: Numbers): Generator<string> {
  let above: readonly string[] = [];
  for (const chunk of chunks) {
    const { headings } = chunk;
    const shared = sharedDepth(above, headings);
    if (shared < headings.length || headings.length < above.length) yield* headingLines(headings, shared);
    above = headings;
    yield chunkLine(chunk, kinds);
  }
}

function chunkLine(chunk: BundleChunk, kinds: Numbers): string {
  const { ref, lines, textLines, headings, address } = chunk;
  const isWhole = lines.last - lines.first + 1 === textLines;
  const symbol = chunk.symbol !== null && chunk.symbol === headings.at(-1) ? SAME_AS_HEADING : chunk.symbol;
  const kind = kinds.get(chunk.kind) ?? 0;
  const where = isWhole ? lines.first : `${lines.first}-${lines.last}`;
  return writeLine(['C', ref, where, symbol, kind === 0 ? null : kind, anchorCell(chunk), address]);
}

function sharedDepth(above: readonly string[], headings: readonly string[]): number {
  let depth = 0;
  while (depth < headings.length && headings[depth] === above[depth]) depth += 1;
  return depth;
}

/** A path that only grew shorter is said again from its last heading. */
function* headingLines(headings: readonly string[], shared: number): Generator<string> {
  const from = Math.max(0, Math.min(shared, headings.length - 1));
  for (const [nth, heading] of headings.slice(from).entries()) yield writeLine(['P', from + nth + 1, heading]);
  if (headings.length === 0) yield writeLine(['P', 0]);
}

/** Empty where it is what the innermost heading gives by itself. */
function anchorCell({ anchor, headings }: BundleChunk): string | null {
  const own = anchorOfHeading(headings.at(-1));
  if (anchor === own) return null;
  return anchor ?? NO_ANCHOR;
}
