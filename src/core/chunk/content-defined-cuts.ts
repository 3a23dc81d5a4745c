// Chooses where a long run of units is cut. A cut stands where its unit's start has the highest priority within a window
// on both sides, so it depends on the text nearby alone: an edit moves the cuts around it and no others. Filling
// chunks from the top would be simpler, and one added word could rename every chunk below it.

import { quickHash } from './quick-hash.ts';
import type { Unit } from './unit.ts';

/** From one unit to before another. */
export interface Group {
  readonly from: number;
  readonly to: number;
}

export interface GroupSizes {
  readonly targetChars: number;
  /** The cap, less what fences and tables may add to a piece. */
  readonly roomChars: number;
}

/** Of the target. Cuts are at least this far apart, and on average twice as far. */
const WINDOW_SHARE = 0.5;
/** How often a stretch without a peak is parted at its best place before it is simply filled. */
const MAX_PARTINGS = 5;

export function groupUnits(text: string, units: readonly Unit[], sizes: GroupSizes): Group[] {
  const priorities = new Float64Array(units.length);
  units.forEach((unit, index) => {
    priorities[index] = unit.rank * 2 ** 32 + quickHash(text, unit.start, unit.end);
  });
  const run: Run = { units, priorities, sizes, groups: [] };
  const cuts = peaks(run, { from: 0, to: units.length }, Math.floor(sizes.targetChars * WINDOW_SHARE));
  cuts.push(units.length);
  let from = 0;
  for (const cut of cuts) {
    addGroup(run, { from, to: cut }, MAX_PARTINGS);
    from = cut;
  }
  return run.groups;
}

interface Run {
  readonly units: readonly Unit[];
  readonly priorities: Float64Array;
  readonly sizes: GroupSizes;
  readonly groups: Group[];
}

/** Parts a group that is too long at its best place, as few times as needed. */
function addGroup(run: Run, group: Group, partings: number): void {
  const size = sizeOf(run.units, group);
  if (size <= run.sizes.roomChars || group.to - group.from <= 1) {
    run.groups.push(group);
    return;
  }
  const cut = partings === 0 ? -1 : best(run, farFromEnds(run.units, group, size >> 2));
  if (cut === -1) {
    fill(run, group);
    return;
  }
  addGroup(run, { from: group.from, to: cut }, partings - 1);
  addGroup(run, { from: cut, to: group.to }, partings - 1);
}

function best({ priorities }: Run, candidates: readonly number[]): number {
  let found = -1;
  for (const candidate of candidates) {
    if (found === -1 || (priorities[candidate] ?? 0) > (priorities[found] ?? 0)) found = candidate;
  }
  return found;
}

/** The cuts of a run: every start whose priority is the highest within the window. Of equals the first wins. */
function peaks(run: Run, group: Group, windowChars: number): number[] {
  const candidates = farFromEnds(run.units, group, windowChars >> 1);
  const left = nearestHigher(run, candidates, 'left');
  const right = nearestHigher(run, candidates, 'right');
  return candidates.filter((candidate, index) => {
    const at = startOf(run.units, candidate);
    const before = left[index] ?? -1;
    const after = right[index] ?? -1;
    return (
      (before === -1 || at - startOf(run.units, before) > windowChars) &&
      (after === -1 || startOf(run.units, after) - at > windowChars)
    );
  });
}

/** A cut close to an end would leave a crumb. */
function farFromEnds(units: readonly Unit[], group: Group, edgeChars: number): number[] {
  const begin = startOf(units, group.from) + edgeChars;
  const end = endOf(units, group.to - 1) - edgeChars;
  const candidates: number[] = [];
  for (let index = group.from + 1; index < group.to; index += 1) {
    const at = startOf(units, index);
    if (at >= begin && at <= end) candidates.push(index);
  }
  return candidates;
}

/** For each candidate the nearest one on that side that beats it, or -1. */
function nearestHigher({ priorities }: Run, candidates: readonly number[], side: 'left' | 'right'): Int32Array {
  const nearest = new Int32Array(candidates.length).fill(-1);
  const rising: number[] = [];
  for (let step = 0; step < candidates.length; step += 1) {
    const index = side === 'left' ? step : candidates.length - 1 - step;
    const candidate = candidates[index] ?? 0;
    const priority = priorities[candidate] ?? 0;
    while (rising.length > 0 && !beats(priorities[rising.at(-1) ?? 0] ?? 0, priority, side)) rising.pop();
    nearest[index] = rising.at(-1) ?? -1;
    rising.push(candidate);
  }
  return nearest;
}

function beats(other: number, own: number, side: 'left' | 'right'): boolean {
  return side === 'left' ? other >= own : other > own;
}

/** The last resort, for runs without a peak (thousands of equal lines): pieces as long as the target allows. */
function fill({ units, sizes, groups }: Run, group: Group): void {
  const goal = Math.min(sizes.targetChars, sizes.roomChars);
  let from = group.from;
  for (let index = group.from + 1; index < group.to; index += 1) {
    if (endOf(units, index) - startOf(units, from) <= goal) continue;
    groups.push({ from, to: index });
    from = index;
  }
  groups.push({ from, to: group.to });
}

function sizeOf(units: readonly Unit[], group: Group): number {
  return endOf(units, group.to - 1) - startOf(units, group.from);
}

function startOf(units: readonly Unit[], index: number): number {
  return units[index]?.start ?? 0;
}

function endOf(units: readonly Unit[], index: number): number {
  return units[index]?.end ?? 0;
}
