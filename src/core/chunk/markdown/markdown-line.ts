// What the beginning of a line says in Markdown. Every function reads a line once, from left to right.

import type { Line } from './line.ts';

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
  const mark = text.charCodeAt(line.at);
  if (mark !== EQUALS && mark !== DASH) return 0;
  let at = line.at;
  while (at < line.end && text.charCodeAt(at) === mark) at += 1;
  while (at < line.end && isSpace(text.charCodeAt(at))) at += 1;
  if (at < line.end) return 0;
  return mark === EQUALS ? 1 : 2;
}

/** `---`, `* * *`, `___`. */
export function isRule(text: string, line: Line): boolean {
  if (line.indent > 3) return false;
  const mark = text.charCodeAt(line.at);
  if (mark !== DASH && mark !== STAR && mark !== UNDERSCORE) return false;
  let marks = 0;
  for (let at = line.at; at < line.end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === mark) marks += 1;
    else if (!isSpace(code)) return false;
  }
  return marks >= 3;
}

export interface ListMarker {
  /** Offset of what follows the marker and its spaces. */
  readonly at: number;
  /** Columns from the line's start to that place. */
  readonly indent: number;
  /** Bullets, and lists that start with 1: only these may end a paragraph. */
  readonly interrupts: boolean;
}

/** A bullet or number at `at`, which stands in column `indent`. */
export function listMarker(text: string, at: number, end: number, indent: number): ListMarker | null {
  const width = markerWidth(text, at, end);
  if (width === 0) return null;
  let after = at + width;
  if (after < end && !isSpace(text.charCodeAt(after))) return null;
  while (after < end && isSpace(text.charCodeAt(after))) after += 1;
  const empty = after === end;
  // Five spaces or more are one space and indented code.
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

/** The second line of a table: dashes, colons and at least one bar. */
export function isDelimiterRow(text: string, line: Line): boolean {
  if (line.indent > 3) return false;
  let bars = 0;
  let dashes = 0;
  for (let at = line.at; at < line.end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === PIPE) bars += 1;
    else if (code === DASH) dashes += 1;
    else if (code !== COLON && !isSpace(code)) return false;
  }
  return bars > 0 && dashes > 0;
}

export function hasBar(text: string, line: Line): boolean {
  const bar = text.indexOf('|', line.at);
  return bar !== -1 && bar < line.end;
}
