// Content-defined chunking: a long run of units is cut before each unit whose priority is the highest within a window on
// both sides. A cut depends only on nearby text, so an edit moves only the cuts around it. Filling chunks from the top
// would be simpler, but one added word could change the id of every chunk below it.

import type { Unit } from './unit.ts';

/** Units from `from` to `to`, exclusive. */
export interface UnitRange {
  readonly from: number;
  readonly to: number;
}

export interface GroupLimits {
  readonly targetChars: number;
  /** The cap, minus what repeated fences and table headers may add to a chunk. */
  readonly maxChars: number;
}

/** Window size as a share of the target. Cuts are at least this far apart, and twice as far on average. */
const WINDOW_SHARE = 0.5;
/** How often a range without a local maximum is split at its best unit before it is filled greedily. */
const MAX_SPLITS = 5;

export function groupUnits(text: string, units: readonly Unit[], limits: GroupLimits): UnitRange[] {
  const priorities = new Float64Array(units.length);
  units.forEach((unit, index) => {
    priorities[index] = unit.cutPriority * 2 ** 32 + fnv1a(text, unit.start, unit.end);
  });
  const grouping: Grouping = { units, priorities, limits, groups: [] };
  const cuts = localMaxima(grouping, { from: 0, to: units.length }, Math.floor(limits.targetChars * WINDOW_SHARE));
  cuts.push(units.length);
  let from = 0;
  for (const cut of cuts) {
    addGroup(grouping, { from, to: cut }, MAX_SPLITS);
    from = cut;
  }
  return grouping.groups;
}

interface Grouping {
  readonly units: readonly Unit[];
  readonly priorities: Float64Array;
  readonly limits: GroupLimits;
  readonly groups: UnitRange[];
}

/** Splits a range that is too long at its highest priority, as few times as needed. */
function addGroup(grouping: Grouping, group: UnitRange, splitsLeft: number): void {
  const size = sizeOf(grouping.units, group);
  if (size <= grouping.limits.maxChars || group.to - group.from <= 1) {
    grouping.groups.push(group);
    return;
  }
  const cut = splitsLeft === 0 ? -1 : highestPriority(grouping, awayFromEnds(grouping.units, group, size >> 2));
  if (cut === -1) {
    fillGreedily(grouping, group);
    return;
  }
  addGroup(grouping, { from: group.from, to: cut }, splitsLeft - 1);
  addGroup(grouping, { from: cut, to: group.to }, splitsLeft - 1);
}

function highestPriority({ priorities }: Grouping, candidates: readonly number[]): number {
  let best = -1;
  for (const candidate of candidates) {
    if (best === -1 || (priorities[candidate] ?? 0) > (priorities[best] ?? 0)) best = candidate;
  }
  return best;
}

/** Every unit whose priority is the highest within the window; the first of equals wins. */
function localMaxima(grouping: Grouping, group: UnitRange, windowChars: number): number[] {
  const candidates = awayFromEnds(grouping.units, group, windowChars >> 1);
  const left = nearestHigher(grouping, candidates, 'left');
  const right = nearestHigher(grouping, candidates, 'right');
  return candidates.filter((candidate, index) => {
    const at = startOf(grouping.units, candidate);
    const before = left[index] ?? -1;
    const after = right[index] ?? -1;
    return (
      (before === -1 || at - startOf(grouping.units, before) > windowChars) &&
      (after === -1 || startOf(grouping.units, after) - at > windowChars)
    );
  });
}

/** A cut close to an end would leave a tiny chunk. */
function awayFromEnds(units: readonly Unit[], group: UnitRange, edgeChars: number): number[] {
  const begin = startOf(units, group.from) + edgeChars;
  const end = endOf(units, group.to - 1) - edgeChars;
  const candidates: number[] = [];
  for (let index = group.from + 1; index < group.to; index += 1) {
    const at = startOf(units, index);
    if (at >= begin && at <= end) candidates.push(index);
  }
  return candidates;
}

/** For each candidate the nearest one on that side with a higher priority, or -1. */
function nearestHigher({ priorities }: Grouping, candidates: readonly number[], side: 'left' | 'right'): Int32Array {
  const nearest = new Int32Array(candidates.length).fill(-1);
  const stack: number[] = [];
  for (let step = 0; step < candidates.length; step += 1) {
    const index = side === 'left' ? step : candidates.length - 1 - step;
    const candidate = candidates[index] ?? 0;
    const priority = priorities[candidate] ?? 0;
    while (stack.length > 0 && !beats(priorities[stack.at(-1) ?? 0] ?? 0, priority, side)) stack.pop();
    nearest[index] = stack.at(-1) ?? -1;
    stack.push(candidate);
  }
  return nearest;
}

function beats(other: number, candidate: number, side: 'left' | 'right'): boolean {
  return side === 'left' ? other >= candidate : other > candidate;
}

/** The last resort, for ranges without a local maximum (thousands of equal lines): chunks as long as the target allows. */
function fillGreedily({ units, limits, groups }: Grouping, group: UnitRange): void {
  const targetChars = Math.min(limits.targetChars, limits.maxChars);
  let from = group.from;
  for (let index = group.from + 1; index < group.to; index += 1) {
    if (endOf(units, index) - startOf(units, from) <= targetChars) continue;
    groups.push({ from, to: index });
    from = index;
  }
  groups.push({ from, to: group.to });
}

function sizeOf(units: readonly Unit[], range: UnitRange): number {
  return endOf(units, range.to - 1) - startOf(units, range.from);
}

function startOf(units: readonly Unit[], index: number): number {
  return units[index]?.start ?? 0;
}

function endOf(units: readonly Unit[], index: number): number {
  return units[index]?.end ?? 0;
}

/** Enough of a block to tell it from its neighbours; an edit further on then moves no cut. */
const SAMPLE_CHARS = 64;

/**
 * FNV-1a over the first characters of a span, with a finalizer that spreads similar texts. It only chooses cuts;
 * identity is SHA-256.
 */
function fnv1a(text: string, start: number, end: number): number {
  const stop = Math.min(end, start + SAMPLE_CHARS);
  let hash = 0x811c9dc5;
  for (let at = start; at < stop; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 12;
  return hash >>> 0;
}
