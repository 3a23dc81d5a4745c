// Turns the units of a section into chunk drafts: one if the section fits the target, several otherwise.

import type { PassageKind } from '../model/chunk.ts';
import type { ChunkLimits } from './chunker.ts';
import { groupUnits, type UnitRange } from './content-defined-cuts.ts';
import type { ChunkDraft, ChunkContext, Unit } from './unit.ts';

export function draftChunks(
  text: string,
  units: readonly Unit[],
  context: ChunkContext,
  limits: ChunkLimits,
): ChunkDraft[] {
  const first = units[0];
  const last = units.at(-1);
  if (first === undefined || last === undefined) return [];
  const whole = { from: 0, to: units.length };
  const groupLimits = { targetChars: limits.targetChars, maxChars: limits.capChars - maxRepeatedChars(units) };
  const groups = last.end - first.start <= limits.targetChars ? [whole] : groupUnits(text, units, groupLimits);
  return groups.map((group) => createDraft(units, group, context));
}

/** The most that any cut of these units can add to a chunk. The extra character is a line feed after a cut line. */
function maxRepeatedChars(units: readonly Unit[]): number {
  let max = 0;
  for (const { continues, unclosed } of units) {
    const container = continues ?? unclosed;
    if (container != null) max = Math.max(max, container.reopen.length + container.close.length + 1);
  }
  return max;
}

function createDraft(units: readonly Unit[], group: UnitRange, context: ChunkContext): ChunkDraft {
  const first = units[group.from];
  const last = units[group.to - 1];
  const start = first?.start ?? 0;
  const end = last?.end ?? start;
  const before = first?.continues?.reopen ?? '';
  return {
    ...context,
    start,
    end,
    before,
    after: closingText(last, units[group.to]),
    passageKind: dominantKind(units, group),
  };
}

/** Closes a fence that continues in the next chunk, or that the document never closes. */
function closingText(last: Unit | undefined, next: Unit | undefined): string {
  const container = next?.continues ?? last?.unclosed;
  return container?.close ?? '';
}

/** Code, a table or data if at least two thirds of the characters are; prose otherwise. */
function dominantKind(units: readonly Unit[], group: UnitRange): PassageKind {
  const chars = new Map<PassageKind, number>();
  let total = 0;
  for (let index = group.from; index < group.to; index += 1) {
    const unit = units[index];
    if (unit === undefined) continue;
    const size = unit.end - unit.start;
    total += size;
    chars.set(unit.passageKind, (chars.get(unit.passageKind) ?? 0) + size);
  }
  for (const [passageKind, size] of chars) if (size * 3 >= total * 2) return passageKind;
  return 'prose';
}
