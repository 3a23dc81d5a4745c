// One line of Markdown, by offsets, and what a block marker in it means. Nothing is copied; every function reads the line
// once, from left to right.

export interface Line {
  readonly start: number;
  /** Exclusive, without the line feed. */
  readonly end: number;
  /** Where the next line starts. */
  readonly next: number;
}

const TAB = 0x09;
const SPACE = 0x20;
const HASH = 0x23;
const CLOSE_PAREN = 0x29;
const STAR = 0x2a;
const PLUS = 0x2b;
const DASH = 0x2d;
const DOT = 0x2e;
const COLON = 0x3a;
const EQUALS = 0x3d;
const UNDERSCORE = 0x5f;
const BACKTICK = 0x60;
const PIPE = 0x7c;
const TILDE = 0x7e;

export function readLine(text: string, start: number): Line {
  const feed = text.indexOf('\n', start);
  return feed === -1 ? { start, end: text.length, next: text.length } : { start, end: feed, next: feed + 1 };
}

export function isBlank(text: string, { start, end }: Line): boolean {
  return skipSpaces(text, start, end) === end;
}

export function skipSpaces(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** The column after the characters between the offsets; a tab advances to the next multiple of four. */
export function columnAfter(text: string, from: number, to: number, column: number): number {
  let result = column;
  for (let at = from; at < to; at += 1) result += text.charCodeAt(at) === TAB ? 4 - (result % 4) : 1;
  return result;
}

function runLength(text: string, at: number, end: number, marker: number): number {
  let stop = at;
  while (stop < end && text.charCodeAt(stop) === marker) stop += 1;
  return stop - at;
}

/** 1 to 6 for `#` headings, 0 for anything else. */
export function atxLevel(text: string, at: number, end: number): number {
  const level = runLength(text, at, end, HASH);
  if (level === 0 || level > 6) return 0;
  return at + level === end || isSpace(text.charCodeAt(at + level)) ? level : 0;
}

/** 1 for `===`, 2 for `---`, 0 for anything else. */
export function setextLevel(text: string, at: number, end: number): 0 | 1 | 2 {
  const marker = text.charCodeAt(at);
  if (marker !== EQUALS && marker !== DASH) return 0;
  if (skipSpaces(text, at + runLength(text, at, end, marker), end) < end) return 0;
  return marker === EQUALS ? 1 : 2;
}

/** `---`, `* * *`, `___`. */
export function isThematicBreak(text: string, at: number, end: number): boolean {
  const marker = text.charCodeAt(at);
  if (marker !== DASH && marker !== STAR && marker !== UNDERSCORE) return false;
  let count = 0;
  for (let offset = at; offset < end; offset += 1) {
    const code = text.charCodeAt(offset);
    if (code === marker) count += 1;
    else if (!isSpace(code)) return false;
  }
  return count >= 3;
}

/** Number of characters of a list marker: 1 for bullets, more for numbers, 0 for anything else. */
export function listMarkerWidth(text: string, at: number, end: number): number {
  const first = text.charCodeAt(at);
  const width = first === DASH || first === STAR || first === PLUS ? 1 : numberWidth(text, at, end);
  return width > 0 && (at + width >= end || isSpace(text.charCodeAt(at + width))) ? width : 0;
}

function numberWidth(text: string, at: number, end: number): number {
  let digits = 0;
  while (digits < 10 && at + digits < end && isDigit(text.charCodeAt(at + digits))) digits += 1;
  const closing = text.charCodeAt(at + digits);
  return digits > 0 && digits < 10 && (closing === DOT || closing === CLOSE_PAREN) ? digits + 1 : 0;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Only bullets and lists that start with 1, with text after the marker, may interrupt a paragraph. */
export function interruptsParagraph(text: string, at: number, end: number, width: number): boolean {
  const isFirst = width === 1 || (width === 2 && text.charCodeAt(at) === 0x31);
  return isFirst && skipSpaces(text, at + width, end) < end;
}

/** MkDocs: `!!! note`, `??? note` and `=== "Tab"` open a block whose content is indented by four columns. */
export function isAdmonition(text: string, at: number, end: number): boolean {
  const code = text.charCodeAt(at);
  if (code !== 0x21 && code !== 0x3f && code !== EQUALS) return false;
  return /^(?:!!!|\?\?\?\+?) +\w|^=== +"/.test(text.slice(at, Math.min(end, at + 40)));
}

/** Number of backticks or tildes with which a line opens a fence; 0 if it opens none. */
export function openingFence(text: string, at: number, end: number): number {
  const marker = text.charCodeAt(at);
  if (marker !== BACKTICK && marker !== TILDE) return 0;
  const length = runLength(text, at, end, marker);
  if (length < 3) return 0;
  if (marker === TILDE) return length;
  // A backtick in the info string means inline code, not a fence.
  const tick = text.indexOf('`', at + length);
  return tick === -1 || tick >= end ? length : 0;
}

/** Whether the text from `at` closes a fence that was opened at `openedAt` with `length` markers. */
export function closesFence(text: string, at: number, end: number, opened: { at: number; length: number }): boolean {
  const marker = text.charCodeAt(opened.at);
  if (text.charCodeAt(at) !== marker) return false;
  const length = runLength(text, at, end, marker);
  return length >= opened.length && skipSpaces(text, at + length, end) === end;
}

/** The second line of a table: dashes, colons and at least one pipe. */
export function isDelimiterRow(text: string, at: number, end: number): boolean {
  let pipes = 0;
  let dashes = 0;
  for (let offset = at; offset < end; offset += 1) {
    const code = text.charCodeAt(offset);
    if (code === PIPE) pipes += 1;
    else if (code === DASH) dashes += 1;
    else if (code !== COLON && !isSpace(code)) return false;
  }
  return pipes > 0 && dashes > 0;
}

/** What ends an open HTML block. */
export type HtmlEnd = 'blank-line' | 'raw-text-tag' | '-->' | '?>' | '>' | ']]>';

const RAW_TEXT_OPENING = /^<(?:script|pre|style|textarea)(?=[\s>]|$)/i;
const RAW_TEXT_CLOSING = /<\/(?:script|pre|style|textarea)>/gi;
const NAMED_TAG = /^<\/?([a-z][a-z0-9]*)(?=[\s>]|\/>|$)/i;

const BLOCK_TAGS = new Set(
  (
    'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt ' +
    'fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link ' +
    'main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead ' +
    'title tr track ul'
  ).split(' '),
);

const MAX_NAME_CHARS = 14;

/** What ends the HTML block that starts at `at`, which is a `<`; null if none starts there. */
export function htmlBlockEnd(text: string, at: number, end: number): HtmlEnd | null {
  const start = text.slice(at, Math.min(end, at + MAX_NAME_CHARS));
  if (start.startsWith('<?')) return '?>';
  if (start.startsWith('<!--')) return '-->';
  if (start.startsWith('<![CDATA[')) return ']]>';
  if (/^<![a-z]/i.test(start)) return '>';
  if (RAW_TEXT_OPENING.test(start)) return 'raw-text-tag';
  return BLOCK_TAGS.has(NAMED_TAG.exec(start)?.[1]?.toLowerCase() ?? '') ? 'blank-line' : null;
}

/** Whether a line, from `at`, has the delimiter that ends the block. */
export function endsHtmlBlock(text: string, at: number, end: number, htmlEnd: HtmlEnd): boolean {
  if (htmlEnd === 'blank-line') return false;
  const line = text.slice(at, end);
  return htmlEnd === 'raw-text-tag' ? line.search(RAW_TEXT_CLOSING) !== -1 : line.includes(htmlEnd);
}

/** Offset of the first closing tag of raw text at or after `from`; Infinity if there is none. */
export function findRawTextEnd(text: string, from: number): number {
  const pattern = new RegExp(RAW_TEXT_CLOSING);
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? Infinity;
}
