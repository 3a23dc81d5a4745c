// Plain text as units: paragraphs where they fit, lines and sentences where they do not.

import type { ChunkKind } from '../model/chunk.ts';
import type { ChunkLimits, ChunkWarning } from './chunker.ts';
import { cutLine } from './cut-line.ts';
import type { CutRank, Unit } from './unit.ts';

export interface TextStretch {
  readonly start: number;
  readonly end: number;
  readonly kind: ChunkKind;
}

export interface TextUnits {
  readonly units: readonly Unit[];
  readonly cutLines: readonly CutLine[];
}

export interface CutLine {
  readonly at: number;
  readonly chars: number;
}

export function textUnits(text: string, stretch: TextStretch, limits: ChunkLimits): TextUnits {
  const units: Unit[] = [];
  const cutLines: CutLine[] = [];
  const add = (start: number, end: number, rank: CutRank): void => {
    units.push({ start, end, rank, continues: null, kind: stretch.kind });
  };
  for (let start = stretch.start; start < stretch.end;) {
    const end = Math.min(paragraphEnd(text, start), stretch.end);
    if (end - start <= limits.capChars) add(start, end, 3);
    else addLines(text, { start, end }, limits, { add, cutLines });
    start = end;
  }
  return { units, cutLines };
}

/** After the empty lines that follow a paragraph. */
function paragraphEnd(text: string, start: number): number {
  const gap = text.indexOf('\n\n', start);
  if (gap === -1) return text.length;
  let at = gap;
  while (text.charCodeAt(at) === 0x0a) at += 1;
  return at;
}

interface LineSink {
  readonly add: (start: number, end: number, rank: CutRank) => void;
  readonly cutLines: CutLine[];
}

function addLines(text: string, { start, end }: Omit<TextStretch, 'kind'>, limits: ChunkLimits, sink: LineSink): void {
  for (let from = start; from < end;) {
    const feed = text.indexOf('\n', from);
    const next = feed === -1 ? end : Math.min(feed + 1, end);
    const { ends, forced } = cutLine(text, from, next, limits.capChars);
    if (forced) sink.cutLines.push({ at: from, chars: next - from });
    let piece = from;
    for (const stop of ends) {
      sink.add(piece, stop, piece === from ? 1 : 0);
      piece = stop;
    }
    from = next;
  }
}

export function lineCutWarnings(text: string, cuts: readonly CutLine[]): ChunkWarning[] {
  const lineAt = createLineCounter(text);
  return cuts.map(({ at, chars }) => ({ kind: 'line-cut', line: lineAt(at), chars }));
}

/** 1-based line of an offset. Offsets must not go back: each line feed is searched once. */
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
