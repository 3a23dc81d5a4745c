// Splits plain text into units: paragraphs if they fit a chunk, lines, sentences and words if they do not.

import type { PassageKind } from '../model/chunk.ts';
import type { ChunkLimits, ChunkWarning } from './chunker.ts';
import type { CutPriority, Unit } from './unit.ts';

export interface TextSpan {
  readonly start: number;
  readonly end: number;
  readonly passageKind: PassageKind;
}

export interface TextUnits {
  readonly units: readonly Unit[];
  readonly cutLines: readonly CutLine[];
}

export interface CutLine {
  readonly at: number;
  readonly chars: number;
}

export function splitIntoUnits(text: string, span: TextSpan, limits: ChunkLimits): TextUnits {
  const units: Unit[] = [];
  const cutLines: CutLine[] = [];
  const add = (start: number, end: number, cutPriority: CutPriority): void => {
    units.push({ start, end, cutPriority, continues: null, passageKind: span.passageKind });
  };
  // A search in the whole text would go on past the span, to the next empty line or to the end.
  const part = text.slice(0, span.end);
  for (let start = span.start; start < span.end;) {
    const end = paragraphEnd(part, start);
    if (end - start <= limits.capChars) add(start, end, 3);
    else addLines(part, { start, end }, limits, { add, cutLines });
    start = end;
  }
  return { units, cutLines };
}

/** The offset after a paragraph and the empty lines that follow it. */
function paragraphEnd(text: string, start: number): number {
  const gap = text.indexOf('\n\n', start);
  if (gap === -1) return text.length;
  let at = gap;
  while (text.charCodeAt(at) === 0x0a) at += 1;
  return at;
}

interface LineSink {
  readonly add: (start: number, end: number, rank: CutPriority) => void;
  readonly cutLines: CutLine[];
}

function addLines(
  text: string,
  { start, end }: Omit<TextSpan, 'passageKind'>,
  limits: ChunkLimits,
  sink: LineSink,
): void {
  for (let from = start; from < end;) {
    const feed = text.indexOf('\n', from);
    const next = feed === -1 ? end : Math.min(feed + 1, end);
    const { ends, forced } = cutLine(text, from, next, limits.capChars);
    if (forced) sink.cutLines.push({ at: from, chars: next - from });
    let partStart = from;
    for (const partEnd of ends) {
      sink.add(partStart, partEnd, partStart === from ? 1 : 0);
      partStart = partEnd;
    }
    from = next;
  }
}

export function lineCutWarnings(text: string, cuts: readonly CutLine[]): ChunkWarning[] {
  const lineAt = createLineCounter(text);
  return cuts.map(({ at, chars }) => ({ kind: 'line-cut', line: lineAt(at), chars }));
}

/** 1-based line of an offset. Offsets must not decrease: each line feed is searched for once. */
export function createLineCounter(text: string): (offset: number) => number {
  let line = 1;
  let feed = text.indexOf('\n');
  return (offset) => {
    while (feed !== -1 && feed < offset) {
      line += 1;
      feed = text.indexOf('\n', feed + 1);
    }
    return line;
  };
}

/** Where the parts of `text[start, end)` end; the last entry is `end`. `forced` is true if a word was cut. */
interface LineCuts {
  readonly ends: readonly number[];
  readonly forced: boolean;
}

/** Cuts a line that is longer than a chunk may be: after a sentence, else after a word, else between two characters. */
export function cutLine(text: string, start: number, end: number, maxChars: number): LineCuts {
  const ends: number[] = [];
  let forced = false;
  let from = start;
  while (end - from > maxChars) {
    const limit = from + maxChars;
    const half = from + (maxChars >> 1);
    let cut = lastSentenceEnd(text, half, limit);
    if (cut === -1) cut = lastSpaceEnd(text, half, limit);
    if (cut === -1) {
      cut = characterBoundary(text, limit);
      forced = true;
    }
    ends.push(cut);
    from = cut;
  }
  ends.push(end);
  return { ends, forced };
}

function lastSentenceEnd(text: string, low: number, high: number): number {
  for (let at = high - 1; at > low; at -= 1) {
    if (text.charCodeAt(at) === 0x20 && endsSentence(text.charCodeAt(at - 1))) return at + 1;
    if (isCjkStop(text.charCodeAt(at))) return at + 1;
  }
  return -1;
}

function lastSpaceEnd(text: string, low: number, high: number): number {
  for (let at = high - 1; at > low; at -= 1) {
    const code = text.charCodeAt(at);
    if (code === 0x20 || code === 0x09) return at + 1;
  }
  return -1;
}

/** `.`, `!`, `?` and `;` before a space. */
function endsSentence(code: number): boolean {
  return code === 0x2e || code === 0x21 || code === 0x3f || code === 0x3b;
}

function isCjkStop(code: number): boolean {
  return code === 0x3002 || code === 0xff01 || code === 0xff1f;
}

/** Steps back if the cut would split a surrogate pair. */
function characterBoundary(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
