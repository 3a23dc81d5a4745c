// Cuts a diff to a budget of tokens: some of each list, and the most of what breaks programs.

import { estimateTokens } from '../model/chunk.ts';
import type { VersionDiff } from './version-diff.ts';

type Lists = VersionDiff & {
  /** Lines of a project that the upgrade breaks. */
  readonly uses: readonly unknown[];
};

/** What a result has besides its lists. */
const FRAME_TOKENS = 150;
/** Shares of the budget, as long as other lists need the rest; in the order in which what is left is used. */
const SHARES: ReadonlyArray<readonly [keyof Lists, number]> = [
  ['uses', 0.6],
  ['requirements', 0.1],
  ['removed', 0.3],
  ['renamed', 0.15],
  ['defaults', 0.1],
  ['deprecated', 0.1],
  ['notes', 0.25],
  ['signatures', 0.1],
  ['sections', 0],
];

export function fitDiff<Diff extends Lists>(
  diff: Diff,
  budget: number,
): { readonly diff: Diff; readonly isTruncated: boolean } {
  const whole = Math.max(0, budget - FRAME_TOKENS);
  const taken = new Map<keyof Lists, Set<unknown>>(SHARES.map(([name]) => [name, new Set()]));
  let left = whole;
  const fill = (name: keyof Lists, most: number): void => {
    let used = 0;
    for (const item of diff[name]) {
      if (taken.get(name)?.has(item) === true) continue;
      const tokens = estimateTokens(JSON.stringify(item)) + 1;
      if (tokens > left || used + tokens > most) continue;
      used += tokens;
      left -= tokens;
      taken.get(name)?.add(item);
    }
  };
  for (const [name, share] of SHARES) fill(name, Math.min(left, whole * share));
  for (const [name] of SHARES) fill(name, left);
  const lists = SHARES.map(([name]) => [name, diff[name].filter((item) => taken.get(name)?.has(item) === true)]);
  const fitted = { ...diff, ...(Object.fromEntries(lists) as Partial<Diff>) };
  return { diff: fitted, isTruncated: SHARES.some(([name]) => fitted[name].length < diff[name].length) };
}
