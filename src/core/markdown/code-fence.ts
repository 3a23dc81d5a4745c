// Code fences, including indented ones and those inside lists and quotes.

import type { Container } from '../chunk/unit.ts';
import { listMarker, readLine, type Line } from './markdown-line.ts';

export interface Fence {
  readonly marker: number;
  readonly length: number;
  /** Column of the first marker character. */
  readonly column: number;
  /** How many `>` precede it: such a fence ends with its quote. */
  readonly quotes: number;
  readonly line: Line;
  /** Offset of the first marker character. */
  readonly at: number;
}

const BACKTICK = 0x60;
const TILDE = 0x7e;
const GREATER = 0x3e;
/** Deeper nesting is treated as text. */
const MAX_CONTAINERS = 100;

/** The fence that a line opens, if any. Quote and list markers before it are skipped. */
export function openingFence(text: string, line: Line): Fence | null {
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

interface FencePosition {
  readonly at: number;
  readonly column: number;
  readonly quotes: number;
}

function fenceAt(text: string, line: Line, position: FencePosition): Fence | null {
  const marker = text.charCodeAt(position.at);
  const length = runLength(text, position.at, line.end, marker);
  if (length < 3) return null;
  // A backtick in the info string means inline code, not a fence.
  const info = marker === BACKTICK ? text.indexOf('`', position.at + length) : -1;
  if (info !== -1 && info < line.end) return null;
  return { marker, length, line, ...position };
}

/** Offset after the fence's last line; the end of the text if it is never closed. */
export function fenceEnd(text: string, fence: Fence): number {
  let from = fence.line.next;
  while (from < text.length) {
    const line = readLine(text, from);
    const position = positionInFence(text, fence, line);
    if (position === 'outside') return from;
    if (position === 'closes') return line.next;
    from = line.next;
  }
  return text.length;
}

export type PositionInFence = 'inside' | 'closes' | 'outside';

/** A quoted fence ends with its quote; any other one only at its closing line. */
export function positionInFence(text: string, fence: Fence, line: Line): PositionInFence {
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
  if (text.charCodeAt(at) !== fence.marker || indent > fence.column + 3) return 'inside';
  const length = runLength(text, at, line.end, fence.marker);
  if (length < fence.length) return 'inside';
  for (let rest = at + length; rest < line.end; rest += 1) {
    const code = text.charCodeAt(rest);
    if (code !== 0x20 && code !== 0x09) return 'inside';
  }
  return 'closes';
}

/** The fence that is still open after these lines, if any. */
export function unclosedFence(text: string, range: { readonly start: number; readonly end: number }): Fence | null {
  let open: Fence | null = null;
  for (let from = range.start; from < range.end;) {
    const line = readLine(text, from);
    const position: PositionInFence = open === null ? 'outside' : positionInFence(text, open, line);
    if (position === 'outside') open = openingFence(text, line);
    else if (position === 'closes') open = null;
    from = line.next;
  }
  return open;
}

/** What a cut inside the fence repeats. An opening line that is too long to repeat loses its info string. */
export function fenceContainer(text: string, fence: Fence, maxChars: number): Container {
  const prefix = blankListMarkers(text.slice(fence.line.start, fence.at));
  const markers = text.slice(fence.at, fence.at + fence.length);
  const info = text.slice(fence.at + fence.length, fence.line.end);
  const shortMarkers = markers.slice(0, Math.max(3, Math.min(markers.length, maxChars >> 2)));
  const shortPrefix = prefix.length > maxChars >> 2 ? '' : prefix;
  const shortInfo = info.length > maxChars >> 2 ? '' : info;
  return { reopen: `${shortPrefix}${shortMarkers}${shortInfo}\n`, close: `${shortPrefix}${shortMarkers}\n` };
}

/** `- ```js` continues as `  ```js`: a list marker would start another item. */
function blankListMarkers(prefix: string): string {
  return prefix.replaceAll(/[^>\t]/g, ' ');
}

function runLength(text: string, at: number, end: number, marker: number): number {
  let stop = at;
  while (stop < end && text.charCodeAt(stop) === marker) stop += 1;
  return stop - at;
}
