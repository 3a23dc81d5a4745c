// Code fences, also indented ones and ones inside lists and quotes.

import type { Container } from '../unit.ts';
import { readLine, type Line } from './line.ts';
import { listMarker } from './markdown-line.ts';

export interface Fence {
  readonly mark: number;
  readonly length: number;
  /** Column of the first mark. */
  readonly column: number;
  /** How many `>` stand before it: such a fence ends with its quote. */
  readonly quotes: number;
  readonly line: Line;
  /** Offset of the first mark. */
  readonly at: number;
}

const BACKTICK = 0x60;
const TILDE = 0x7e;
const GREATER = 0x3e;
/** Deeper nesting than this is read as text. */
const MAX_CONTAINERS = 100;

/** The fence that a line opens, if any. Quote and list marks before it are passed over. */
export function openedFence(text: string, line: Line): Fence | null {
  let { at, indent } = line;
  let quotes = 0;
  for (let depth = 0; depth < MAX_CONTAINERS; depth += 1) {
    const code = text.charCodeAt(at);
    if (at >= line.end) return null;
    if (code === BACKTICK || code === TILDE) return fenceAt(text, line, { at, column: indent, quotes });
    if (code === GREATER) {
      quotes += 1;
      at += 1;
      indent += 1;
    } else {
      const marker = listMarker(text, at, line.end, indent);
      if (marker === null) return null;
      ({ at, indent } = marker);
    }
    while (at < line.end && text.charCodeAt(at) === 0x20) {
      at += 1;
      indent += 1;
    }
  }
  return null;
}

interface FencePlace {
  readonly at: number;
  readonly column: number;
  readonly quotes: number;
}

function fenceAt(text: string, line: Line, place: FencePlace): Fence | null {
  const mark = text.charCodeAt(place.at);
  const length = runLength(text, place.at, line.end, mark);
  if (length < 3) return null;
  // `a backtick in the info string` means inline code, not a fence.
  const info = mark === BACKTICK ? text.indexOf('`', place.at + length) : -1;
  if (info !== -1 && info < line.end) return null;
  return { mark, length, line, ...place };
}

/** Offset after the fence's last line; the end of the text where it is never closed. */
export function fenceEnd(text: string, fence: Fence): number {
  let from = fence.line.next;
  while (from < text.length) {
    const line = readLine(text, from);
    const fate = lineInFence(text, fence, line);
    if (fate === 'outside') return from;
    if (fate === 'closes') return line.next;
    from = line.next;
  }
  return text.length;
}

export type FenceFate = 'inside' | 'closes' | 'outside';

/** A quoted fence is left when its quote ends; any other one only by its closing line. */
export function lineInFence(text: string, fence: Fence, line: Line): FenceFate {
  let { at, indent } = line;
  for (let quote = 0; quote < fence.quotes; quote += 1) {
    if (text.charCodeAt(at) !== GREATER || at >= line.end) return 'outside';
    at += 1;
    indent += 1;
    while (at < line.end && text.charCodeAt(at) === 0x20) {
      at += 1;
      indent += 1;
    }
  }
  if (text.charCodeAt(at) !== fence.mark || indent > fence.column + 3) return 'inside';
  const length = runLength(text, at, line.end, fence.mark);
  if (length < fence.length) return 'inside';
  for (let rest = at + length; rest < line.end; rest += 1) {
    const code = text.charCodeAt(rest);
    if (code !== 0x20 && code !== 0x09) return 'inside';
  }
  return 'closes';
}

/** The fence that is still open after these lines, if any. */
export function fenceLeftOpen(text: string, range: { readonly start: number; readonly end: number }): Fence | null {
  let open: Fence | null = null;
  for (let from = range.start; from < range.end;) {
    const line = readLine(text, from);
    const fate: FenceFate = open === null ? 'outside' : lineInFence(text, open, line);
    if (fate === 'outside') open = openedFence(text, line);
    else if (fate === 'closes') open = null;
    from = line.next;
  }
  return open;
}

/** What a cut inside the fence repeats. An opening line too long to be repeated loses its info string. */
export function fenceContainer(text: string, fence: Fence, maxChars: number): Container {
  const prefix = blankListMarks(text.slice(fence.line.start, fence.at));
  const marks = text.slice(fence.at, fence.at + fence.length);
  const info = text.slice(fence.at + fence.length, fence.line.end);
  const shortMarks = marks.slice(0, Math.max(3, Math.min(marks.length, maxChars >> 2)));
  const shortPrefix = prefix.length > maxChars >> 2 ? '' : prefix;
  const shortInfo = info.length > maxChars >> 2 ? '' : info;
  return { reopen: `${shortPrefix}${shortMarks}${shortInfo}\n`, close: `${shortPrefix}${shortMarks}\n` };
}

/** `- ```js` goes on as `  ```js`: a list mark would start another item. */
function blankListMarks(prefix: string): string {
  return prefix.replaceAll(/[^>\t]/g, ' ');
}

function runLength(text: string, at: number, end: number, mark: number): number {
  let stop = at;
  while (stop < end && text.charCodeAt(stop) === mark) stop += 1;
  return stop - at;
}
