// One line of Markdown, by offsets, and what its start means. The scanner never copies text; every function reads a line
// once, from left to right.

export interface Line {
  readonly start: number;
  /** Exclusive, without the line feed. */
  readonly end: number;
  /** Where the next line starts. */
  readonly next: number;
  /** Columns before the first visible character; a tab advances to the next multiple of four. */
  readonly indent: number;
  /** Offset of the first visible character; `end` on a blank line. */
  readonly at: number;
}

const TAB = 0x09;
const SPACE = 0x20;
const HASH = 0x23;
const STAR = 0x2a;
const PLUS = 0x2b;
const DASH = 0x2d;
const DOT = 0x2e;
const COLON = 0x3a;
const EQUALS = 0x3d;
const CLOSE_PAREN = 0x29;
const UNDERSCORE = 0x5f;
const PIPE = 0x7c;

export function readLine(text: string, start: number): Line {
  const feed = text.indexOf('\n', start);
  const end = feed === -1 ? text.length : feed;
  let at = start;
  let indent = 0;
  for (; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === SPACE) indent += 1;
    else if (code === TAB) indent += 4 - (indent % 4);
    else break;
  }
  return { start, end, next: feed === -1 ? end : feed + 1, indent, at };
}

export function isBlank(line: Line): boolean {
  return line.at === line.end;
}

/** Offset of the first non-blank line at or after `start`, which is the start of a line. */
export function skipBlankLines(text: string, start: number): number {
  let from = start;
  while (from < text.length) {
    const line = readLine(text, from);
    if (!isBlank(line)) return from;
    from = line.next;
  }
  return from;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** 1 to 6 for `#` headings, 0 for anything else. */
export function atxLevel(text: string, line: Line): number {
  if (line.indent > 3) return 0;
  let at = line.at;
  while (at < line.end && text.charCodeAt(at) === HASH) at += 1;
  const level = at - line.at;
  if (level === 0 || level > 6) return 0;
  return at === line.end || isSpace(text.charCodeAt(at)) ? level : 0;
}

/** 1 under `===`, 2 under `---`, 0 for anything else. */
export function setextLevel(text: string, line: Line): 0 | 1 | 2 {
  if (line.indent > 3 || line.at === line.end) return 0;
  const marker = text.charCodeAt(line.at);
  if (marker !== EQUALS && marker !== DASH) return 0;
  let at = line.at;
  while (at < line.end && text.charCodeAt(at) === marker) at += 1;
  while (at < line.end && isSpace(text.charCodeAt(at))) at += 1;
  if (at < line.end) return 0;
  return marker === EQUALS ? 1 : 2;
}

/** `---`, `* * *`, `___`. */
export function isThematicBreak(text: string, line: Line): boolean {
  if (line.indent > 3) return false;
  const marker = text.charCodeAt(line.at);
  if (marker !== DASH && marker !== STAR && marker !== UNDERSCORE) return false;
  let count = 0;
  for (let at = line.at; at < line.end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === marker) count += 1;
    else if (!isSpace(code)) return false;
  }
  return count >= 3;
}

export interface ListMarker {
  /** Offset of what follows the marker and its spaces. */
  readonly at: number;
  /** Column of that offset. */
  readonly indent: number;
  /** True for bullets and for lists that start with 1: only these may interrupt a paragraph. */
  readonly interrupts: boolean;
}

/** A bullet or number at `at`, which is in column `indent`. */
export function listMarker(text: string, at: number, end: number, indent: number): ListMarker | null {
  const width = markerWidth(text, at, end);
  if (width === 0) return null;
  let after = at + width;
  if (after < end && !isSpace(text.charCodeAt(after))) return null;
  while (after < end && isSpace(text.charCodeAt(after))) after += 1;
  const empty = after === end;
  // Five or more spaces are one space and indented code.
  const spaces = empty || after - at - width > 4 ? 1 : after - at - width;
  const interrupts = !empty && (width === 1 || (width === 2 && text.charCodeAt(at) === 0x31));
  return { at: Math.min(end, at + width + spaces), indent: indent + width + spaces, interrupts };
}

function markerWidth(text: string, at: number, end: number): number {
  const first = text.charCodeAt(at);
  if (first === DASH || first === STAR || first === PLUS) return 1;
  let digits = 0;
  while (digits < 10 && at + digits < end && isDigit(text.charCodeAt(at + digits))) digits += 1;
  if (digits === 0 || digits === 10) return 0;
  const closing = text.charCodeAt(at + digits);
  return closing === DOT || closing === CLOSE_PAREN ? digits + 1 : 0;
}

/** The second line of a table: dashes, colons and at least one pipe. */
export function isDelimiterRow(text: string, line: Line): boolean {
  if (line.indent > 3) return false;
  let pipes = 0;
  let dashes = 0;
  for (let at = line.at; at < line.end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === PIPE) pipes += 1;
    else if (code === DASH) dashes += 1;
    else if (code !== COLON && !isSpace(code)) return false;
  }
  return pipes > 0 && dashes > 0;
}

export function hasPipe(text: string, line: Line): boolean {
  const pipe = text.indexOf('|', line.at);
  return pipe !== -1 && pipe < line.end;
}
