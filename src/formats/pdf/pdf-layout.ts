// Finds repeated elements of the pages of a PDF, and measures its text: running heads, page numbers, lines of a table of
// contents, and the size of its body text.

import { mostFrequent, type PdfLine } from './pdf-lines.ts';
import type { PdfOutline } from './pdf-outline.ts';

/** The size of most letters that are prose. */
export function bodySize(lines: readonly PdfLine[]): number {
  const letters = new Map<number, number>();
  for (const { isMono, size, text } of lines) if (!isMono) letters.set(size, (letters.get(size) ?? 0) + text.length);
  return mostFrequent(letters) ?? 10;
}

/** Lines of a table of contents lead to their page with dots. */
const LEADER = /(?:\.\s?){4,}\s*(?:\d+|[ivxlc]+)?\s*$|(?:\s\.){4,}/;

/** The lines of all pages without running heads, page numbers and the table of contents. */
export function contentLines(pages: ReadonlyArray<readonly PdfLine[]>, outline: PdfOutline): readonly PdfLine[] {
  const repeated = repeatedEdges(pages);
  return pages.flatMap((lines) => {
    const [top, bottom] = edgesOf(lines);
    const isEdge = ({ y }: PdfLine): boolean => y === top?.y || y === bottom?.y;
    const leaders = lines.filter(({ text }) => LEADER.test(text)).length;
    const isContents = leaders >= 5 && leaders > lines.length / 3;
    return lines.filter(
      (line) =>
        line.table !== undefined ||
        (!(isEdge(line) && isRunning(line, repeated, outline)) &&
          !LEADER.test(line.text) &&
          !isIndexLetter(line) &&
          !(isContents && isContentsLine(line))),
    );
  });
}

/** The letters above the groups of an index, whose lines are left out too. */
function isIndexLetter({ text, isMono }: PdfLine): boolean {
  return !isMono && /^\p{Lu}$/u.test(text.trim());
}

/** On a page of contents: its title, and titles that leave no room for dots. */
function isContentsLine({ text }: PdfLine): boolean {
  return /^(?:table of )?contents$|\s(?:\d+|[ivxlc]+)$/i.test(text.trim());
}

/** The topmost and the lowest line of a page. */
function edgesOf(lines: readonly PdfLine[]): readonly [PdfLine | undefined, PdfLine | undefined] {
  let top = lines[0];
  let bottom = lines[0];
  for (const line of lines) {
    if (top === undefined || topOf(line) > topOf(top)) top = line;
    if (bottom === undefined || line.y < bottom.y) bottom = line;
  }
  return [top, bottom];
}

function topOf({ y, table }: PdfLine): number {
  return table?.top ?? y;
}

/** How often a text stands at the edge of a page, at the same height and whatever numbers it has. */
function repeatedEdges(pages: ReadonlyArray<readonly PdfLine[]>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const lines of pages) {
    const [top, bottom] = edgesOf(lines);
    const keys = new Set(lines.filter(({ y }) => y === top?.y || y === bottom?.y).map(lineKey));
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function edgeKey({ text }: PdfLine): string {
  return text
    .slice(0, 300)
    .replace(/\d+|\b[ivxlc]+\b/g, '#')
    .replace(/\s+/g, ' ')
    .trim();
}

function lineKey(line: PdfLine): string {
  return `${Math.round(line.y / 2)} ${edgeKey(line)}`;
}

/** A page number alone or with a title, or a text that stands at the edge of several pages. */
function isRunning(line: PdfLine, repeated: ReadonlyMap<string, number>, outline: PdfOutline): boolean {
  const key = edgeKey(line);
  const times = repeated.get(lineKey(line)) ?? 0;
  if (/^\W*#\W*$/.test(key)) return true;
  if (/^(?:chapter|appendix|section|part) .*#$/i.test(key)) return true;
  const title = line.text.replace(/^\s*(?:\d+|[ivxlc]+)\s|\s(?:\d+|[ivxlc]+)\s*$/g, '');
  if (/^#|#$/.test(key) && title !== line.text && outline.hasTitle(title)) return true;
  return times >= 3 || (times >= 2 && key.includes('#'));
}
