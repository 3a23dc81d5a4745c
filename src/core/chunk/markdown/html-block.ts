// HTML inside Markdown: which lines start a block of it, and where the block ends.

import { isBlank, readLine, type Line } from './line.ts';

/** Blocks that end at a mark of their own; all others end at a blank line. */
const MARKED: ReadonlyArray<readonly [opens: string, closes: string]> = [
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<![cdata[', ']]>'],
  ['<script', '</script>'],
  ['<pre', '</pre>'],
  ['<style', '</style>'],
  ['<textarea', '</textarea>'],
];

const BLOCK_TAGS = new Set(
  (
    'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt ' +
    'fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link ' +
    'main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead ' +
    'title tr track ul'
  ).split(' '),
);

const LONGEST_TAG = 12;

/** Offset after the block that this line starts, or -1 when it starts none. */
export function htmlBlockEnd(text: string, line: Line): number {
  if (line.indent > 3 || text.charCodeAt(line.at) !== 0x3c) return -1;
  const start = text.slice(line.at, line.at + LONGEST_TAG).toLowerCase();
  for (const [opens, closes] of MARKED) {
    if (start.startsWith(opens) && isNameEnd(start.charAt(opens.length), opens)) return markedEnd(text, line, closes);
  }
  return BLOCK_TAGS.has(tagName(start)) ? blankLineEnd(text, line) : -1;
}

/** `<pre` opens a block, `<preview` does not. */
function isNameEnd(after: string, opens: string): boolean {
  return !/[a-z]$/.test(opens) || !/[a-z0-9-]/.test(after);
}

function tagName(start: string): string {
  return /^<\/?([a-z][a-z0-9]*)(?=[\s/>]|$)/.exec(start)?.[1] ?? '';
}

function markedEnd(text: string, line: Line, closes: string): number {
  let from = line.start;
  while (from < text.length) {
    const end = readLine(text, from);
    if (text.slice(end.start, end.end).toLowerCase().includes(closes)) return end.next;
    from = end.next;
  }
  return text.length;
}

function blankLineEnd(text: string, first: Line): number {
  let from = first.next;
  while (from < text.length) {
    const line = readLine(text, from);
    if (isBlank(line)) return from;
    from = line.next;
  }
  return text.length;
}
