// Turns Markdown blocks into units: a whole block if it fits a chunk, otherwise its rows, lines or sentences.

import type { PassageKind } from '../../model/chunk.ts';
import type { ChunkLimits } from '../chunker.ts';
import { cutLine, type CutLine } from '../text-units.ts';
import type { Container, CutPriority, Unit } from '../unit.ts';
import { fencePrefix } from '../../markdown/scan-blocks.ts';
import { isBlank, readLine, type Line } from '../../markdown/markdown-line.ts';
import type { Block, BlockKind, CodeSpan, Fence } from '../../markdown/scan-state.ts';

export interface UnitWriter {
  readonly text: string;
  readonly limits: ChunkLimits;
  readonly units: Unit[];
  readonly cutLines: CutLine[];
}

const PASSAGE_KINDS: Readonly<Record<BlockKind, PassageKind>> = {
  'front-matter': 'data',
  module: 'code',
  heading: 'prose',
  fence: 'code',
  table: 'table',
  item: 'prose',
  admonition: 'prose',
  quote: 'prose',
  html: 'prose',
  indented: 'code',
  rule: 'prose',
  paragraph: 'prose',
};

/** `previous` is the preceding block of the same section. */
export function addBlockUnits(sink: UnitWriter, block: Block, previous: Block | null): void {
  const cutPriority = cutPriorityBefore(sink.text, block, previous);
  const size = block.end - block.start;
  const tooLong = size > (block.kind === 'table' ? sink.limits.targetChars : sink.limits.capChars);
  if (!tooLong)
    sink.units.push({
      start: block.start,
      end: block.end,
      cutPriority,
      continues: null,
      passageKind: PASSAGE_KINDS[block.kind],
    });
  else if (block.kind === 'table') addRows(sink, block, cutPriority);
  else addLines(sink, block, cutPriority);
  if (block.end === sink.text.length && MAY_BE_UNCLOSED.has(block.kind)) closeUnclosedFence(sink, block);
}

const MAY_BE_UNCLOSED = new Set<BlockKind>(['fence', 'item']);

/** A fence that the document never closes is closed in its last chunk, as a renderer would. */
function closeUnclosedFence(sink: UnitWriter, block: Block): void {
  const last = sink.units.at(-1);
  const span = block.code.at(-1);
  if (last === undefined || span === undefined || span.fence === null) return;
  if (span.fence.isClosed || span.end < block.end) return;
  sink.units[sink.units.length - 1] = {
    ...last,
    unclosed: fenceContainer(sink.text, span.fence, maxRepeatedChars(sink.limits)),
  };
}

function maxRepeatedChars(limits: ChunkLimits): number {
  return limits.capChars >> 2;
}

/** For the lines of a block that is cut: half of the cap is reserved for what a cut fence or table repeats. */
function maxLineChars(limits: ChunkLimits): number {
  return limits.capChars >> 1;
}

function cutPriorityBefore(text: string, block: Block, previous: Block | null): CutPriority {
  if (previous === null) return 3;
  if (previous.kind === 'heading') return 0;
  if (previous.kind === 'paragraph' && endsWithColon(text, previous)) return 1;
  if (block.kind === 'item') return previous.kind === 'item' ? 1 : 2;
  return PASSAGE_KINDS[block.kind] === 'prose' ? 3 : 2;
}

function endsWithColon(text: string, block: Block): boolean {
  let at = block.end - 1;
  while (at > block.start && text.charCodeAt(at) <= 0x20) at -= 1;
  return text.charCodeAt(at) === 0x3a;
}

function addRows(sink: UnitWriter, block: Block, cutPriority: CutPriority): void {
  const header = readLine(sink.text, block.start);
  const delimiter = readLine(sink.text, header.next);
  const reopen = sink.text.slice(block.start, delimiter.next);
  const container = { reopen: reopen.length > sink.limits.capChars >> 2 ? '' : reopen, close: '' };
  addLine(sink, block, { start: block.start, end: delimiter.next, cutPriority, continues: null });
  let from = delimiter.next;
  while (from < block.end) {
    const line = readLine(sink.text, from);
    const next = isBlank(sink.text, line) ? block.end : line.next;
    addLine(sink, block, {
      start: from,
      end: next,
      cutPriority: from === delimiter.next ? 0 : 1,
      continues: container,
    });
    from = next;
  }
}

/** Adds the lines of a long block, tracking the fences inside it. */
function addLines(sink: UnitWriter, block: Block, cutPriority: CutPriority): void {
  const walk: Walk = { nextSpan: 0, container: null, opened: false };
  let from = block.start;
  let previous: Line | null = null;
  while (from < block.end) {
    const line = readLine(sink.text, from);
    const next = Math.min(line.next, block.end);
    const { continues, keepWithPrevious } = advanceFence(sink, walk, line, block);
    const unit = {
      start: from,
      end: next,
      cutPriority: previous === null ? cutPriority : linePriority(sink.text, previous, line),
      continues,
    };
    if (!keepWithPrevious || !extendLast(sink, unit)) addLine(sink, block, unit);
    previous = line;
    from = next;
  }
}

interface Walk {
  /** Index of the block's first span of code that does not end before the line. */
  nextSpan: number;
  container: Container | null;
  /** Whether the previous line opened the fence. */
  opened: boolean;
}

interface LineState {
  /** What a cut before this line would have to repeat. */
  readonly continues: Container | null;
  /** The first line of code stays with the opening line, the closing line with the last, so no fence is left empty. */
  readonly keepWithPrevious: boolean;
}

function advanceFence(sink: UnitWriter, walk: Walk, line: Line, block: Block): LineState {
  const span = fenceAt(walk, line, block);
  if (span === null) return { continues: null, keepWithPrevious: false };
  if (span.start >= line.start) {
    walk.opened = true;
    walk.container = fenceContainer(sink.text, span.fence, maxRepeatedChars(sink.limits));
    return { continues: null, keepWithPrevious: false };
  }
  const keepWithPrevious = walk.opened || (span.fence.isClosed && line.next >= span.end);
  walk.opened = false;
  return { continues: walk.container, keepWithPrevious };
}

interface FenceSpan extends CodeSpan {
  readonly fence: Fence;
}

/** The fence that the line belongs to, if any. */
function fenceAt(walk: Walk, line: Line, block: Block): FenceSpan | null {
  while ((block.code[walk.nextSpan]?.end ?? Infinity) <= line.start) walk.nextSpan += 1;
  const span = block.code[walk.nextSpan];
  if (span === undefined || span.fence === null || span.start >= line.next) return null;
  return { ...span, fence: span.fence };
}

/** What a cut inside the fence repeats. An opening line that is too long to repeat loses its info string. */
function fenceContainer(text: string, { at, length }: Fence, maxChars: number): Container {
  const lineEnd = text.indexOf('\n', at);
  const prefix = fencePrefix(text, at);
  const markers = text.slice(at, at + length);
  const info = text.slice(at + length, lineEnd === -1 ? text.length : lineEnd);
  const shortMarkers = markers.slice(0, Math.max(3, Math.min(markers.length, maxChars >> 2)));
  const shortPrefix = prefix.length > maxChars >> 2 ? '' : prefix;
  const shortInfo = info.length > maxChars >> 2 ? '' : info;
  return { reopen: `${shortPrefix}${shortMarkers}${shortInfo}\n`, close: `${shortPrefix}${shortMarkers}\n` };
}

function extendLast(sink: UnitWriter, unit: Omit<Unit, 'passageKind'>): boolean {
  const last = sink.units.at(-1);
  if (last === undefined || unit.end - last.start > maxLineChars(sink.limits)) return false;
  sink.units[sink.units.length - 1] = { ...last, end: unit.end };
  return true;
}

/** A cut after a blank line is better, in code as in prose. */
function linePriority(text: string, previous: Line, line: Line): CutPriority {
  return isBlank(text, previous) && !isBlank(text, line) ? 1 : 0;
}

function addLine(sink: UnitWriter, block: Block, unit: Omit<Unit, 'passageKind'>): void {
  const passageKind = PASSAGE_KINDS[block.kind];
  const maxChars = maxLineChars(sink.limits);
  if (unit.end - unit.start <= maxChars) {
    sink.units.push({ ...unit, passageKind });
    return;
  }
  const { ends, forced } = cutLine(sink.text, unit.start, unit.end, maxChars);
  if (forced) sink.cutLines.push({ at: unit.start, chars: unit.end - unit.start });
  let start = unit.start;
  for (const end of ends) {
    const isFirst = start === unit.start;
    sink.units.push({
      start,
      end,
      cutPriority: isFirst ? unit.cutPriority : 0,
      continues: unit.continues,
      passageKind,
    });
    start = end;
  }
}
