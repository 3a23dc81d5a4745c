// Turns blocks into units: whole where a block fits a chunk, by rows, lines or sentences where it does not.

import type { ChunkKind } from '../../model/chunk.ts';
import type { ChunkLimits } from '../chunker.ts';
import { cutLine } from '../cut-line.ts';
import type { CutLine } from '../text-units.ts';
import type { Container, CutRank, Unit } from '../unit.ts';
import { fenceContainer, fenceLeftOpen, lineInFence, openedFence, type Fence } from './code-fence.ts';
import { isBlank, readLine, type Line } from './line.ts';
import type { Block, BlockKind } from './scan-blocks.ts';

export interface UnitSink {
  readonly text: string;
  readonly limits: ChunkLimits;
  readonly units: Unit[];
  readonly cutLines: CutLine[];
}

const KINDS: Readonly<Record<BlockKind, ChunkKind>> = {
  'front-matter': 'data',
  heading: 'prose',
  fence: 'code',
  table: 'table',
  item: 'prose',
  quote: 'prose',
  html: 'prose',
  indented: 'code',
  rule: 'prose',
  paragraph: 'prose',
};

/** `previous` is the block before, in the same section. */
export function addBlockUnits(sink: UnitSink, block: Block, previous: Block | null): void {
  const rank = rankBefore(sink.text, block, previous);
  const size = block.end - block.start;
  const tooLong = size > (block.kind === 'table' ? sink.limits.targetChars : sink.limits.capChars);
  if (!tooLong) sink.units.push({ start: block.start, end: block.end, rank, continues: null, kind: KINDS[block.kind] });
  else if (block.kind === 'table') addRows(sink, block, rank);
  else addLines(sink, block, rank);
  if (block.end === sink.text.length && MAY_STAY_OPEN.has(block.kind)) closeLast(sink, block);
}

const MAY_STAY_OPEN = new Set<BlockKind>(['fence', 'item']);

/** A fence that is open where the document ends is closed in its last chunk, as a reader would see it. */
function closeLast(sink: UnitSink, block: Block): void {
  const last = sink.units.at(-1);
  const fence = fenceLeftOpen(sink.text, block);
  if (fence === null || last === undefined) return;
  sink.units[sink.units.length - 1] = { ...last, unclosed: fenceContainer(sink.text, fence, repeatRoom(sink.limits)) };
}

function repeatRoom(limits: ChunkLimits): number {
  return limits.capChars >> 2;
}

/** For the lines of a block that is cut: half of the cap is kept for what a cut fence or table repeats. */
function lineRoom(limits: ChunkLimits): number {
  return limits.capChars >> 1;
}

function rankBefore(text: string, block: Block, previous: Block | null): CutRank {
  if (previous === null) return 3;
  if (previous.kind === 'heading') return 0;
  if (previous.kind === 'paragraph' && endsWithColon(text, previous)) return 1;
  if (block.kind === 'item') return previous.kind === 'item' ? 1 : 2;
  return KINDS[block.kind] === 'prose' ? 3 : 2;
}

function endsWithColon(text: string, block: Block): boolean {
  let at = block.end - 1;
  while (at > block.start && text.charCodeAt(at) <= 0x20) at -= 1;
  return text.charCodeAt(at) === 0x3a;
}

function addRows(sink: UnitSink, block: Block, rank: CutRank): void {
  const header = readLine(sink.text, block.start);
  const delimiter = readLine(sink.text, header.next);
  const reopen = sink.text.slice(block.start, delimiter.next);
  const repeated = { reopen: reopen.length > sink.limits.capChars >> 2 ? '' : reopen, close: '' };
  addLine(sink, block, { start: block.start, end: delimiter.next, rank, continues: null });
  let from = delimiter.next;
  while (from < block.end) {
    const line = readLine(sink.text, from);
    const next = isBlank(line) ? block.end : line.next;
    addLine(sink, block, { start: from, end: next, rank: from === delimiter.next ? 0 : 1, continues: repeated });
    from = next;
  }
}

/** Lines of a long block, with the fences inside it kept in mind. */
function addLines(sink: UnitSink, block: Block, rank: CutRank): void {
  const walk: Walk = { fence: null, container: null, opened: false };
  let from = block.start;
  let before: Line | null = null;
  while (from < block.end) {
    const line = readLine(sink.text, from);
    const next = Math.min(line.next, block.end);
    const { continues, bound } = passLine(sink, walk, line, block);
    const unit = { start: from, end: next, rank: before === null ? rank : rankOfLine(before, line), continues };
    if (!bound || !extendLast(sink, unit)) addLine(sink, block, unit);
    before = line;
    from = next;
  }
}

interface Walk {
  fence: Fence | null;
  container: Container | null;
  /** Whether the line before opened the fence. */
  opened: boolean;
}

interface Passed {
  /** What a cut before this line would have to repeat. */
  readonly continues: Container | null;
  /** The first line of code stays with the opening line, the closing line with the last: no fence is left empty. */
  readonly bound: boolean;
}

function passLine(sink: UnitSink, walk: Walk, line: Line, block: Block): Passed {
  if (walk.fence !== null) {
    const fate = lineInFence(sink.text, walk.fence, line);
    const bound = walk.opened || fate === 'closes';
    walk.opened = false;
    if (fate !== 'inside') walk.fence = null;
    if (fate !== 'outside') return { continues: walk.container, bound };
  }
  const mayOpen = block.kind !== 'indented' && block.kind !== 'front-matter' && block.kind !== 'html';
  walk.fence = mayOpen ? openedFence(sink.text, line) : null;
  walk.opened = walk.fence !== null;
  walk.container = walk.fence === null ? null : fenceContainer(sink.text, walk.fence, repeatRoom(sink.limits));
  return { continues: null, bound: false };
}

function extendLast(sink: UnitSink, unit: Omit<Unit, 'kind'>): boolean {
  const last = sink.units.at(-1);
  if (last === undefined || unit.end - last.start > lineRoom(sink.limits)) return false;
  sink.units[sink.units.length - 1] = { ...last, end: unit.end };
  return true;
}

/** A blank line parts code as it parts prose. */
function rankOfLine(before: Line, line: Line): CutRank {
  return isBlank(before) && !isBlank(line) ? 1 : 0;
}

function addLine(sink: UnitSink, block: Block, unit: Omit<Unit, 'kind'>): void {
  const kind = KINDS[block.kind];
  const room = lineRoom(sink.limits);
  if (unit.end - unit.start <= room) {
    sink.units.push({ ...unit, kind });
    return;
  }
  const { ends, forced } = cutLine(sink.text, unit.start, unit.end, room);
  if (forced) sink.cutLines.push({ at: unit.start, chars: unit.end - unit.start });
  let start = unit.start;
  for (const end of ends) {
    const isFirst = start === unit.start;
    sink.units.push({ start, end, rank: isFirst ? unit.rank : 0, continues: unit.continues, kind });
    start = end;
  }
}
