// Turns a section's units into pieces: one when it fits the target, several else.

import type { ChunkKind } from '../model/chunk.ts';
import type { ChunkLimits } from './chunker.ts';
import { groupUnits, type Group } from './content-defined-cuts.ts';
import type { Piece, Place, Unit } from './unit.ts';

export function piecesOfUnits(text: string, units: readonly Unit[], place: Place, limits: ChunkLimits): Piece[] {
  const first = units[0];
  const last = units.at(-1);
  if (first === undefined || last === undefined) return [];
  const whole = { from: 0, to: units.length };
  const sizes = { targetChars: limits.targetChars, roomChars: limits.capChars - repeatedChars(units) };
  const groups = last.end - first.start <= limits.targetChars ? [whole] : groupUnits(text, units, sizes);
  return groups.map((group) => pieceOf(units, group, place));
}

/** The most that any cut of these units would add to a piece. The extra one is a line feed after a cut line. */
function repeatedChars(units: readonly Unit[]): number {
  let most = 0;
  for (const { continues, unclosed } of units) {
    const container = continues ?? unclosed;
    if (container != null) most = Math.max(most, container.reopen.length + container.close.length + 1);
  }
  return most;
}

function pieceOf(units: readonly Unit[], group: Group, place: Place): Piece {
  const first = units[group.from];
  const last = units[group.to - 1];
  const start = first?.start ?? 0;
  const end = last?.end ?? start;
  const before = first?.continues?.reopen ?? '';
  return { ...place, start, end, before, after: closing(last, units[group.to]), kind: kindOf(units, group) };
}

/** What closes a fence that goes on in the next piece, or that the document left open. */
function closing(last: Unit | undefined, next: Unit | undefined): string {
  const container = next?.continues ?? last?.unclosed;
  return container?.close ?? '';
}

/** A piece is code, a table or data when most of its characters are. */
function kindOf(units: readonly Unit[], group: Group): ChunkKind {
  const chars = new Map<ChunkKind, number>();
  let total = 0;
  for (let index = group.from; index < group.to; index += 1) {
    const unit = units[index];
    if (unit === undefined) continue;
    const size = unit.end - unit.start;
    total += size;
    chars.set(unit.kind, (chars.get(unit.kind) ?? 0) + size);
  }
  for (const [kind, size] of chars) if (size * 3 >= total * 2) return kind;
  return 'prose';
}
