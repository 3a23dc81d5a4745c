// The difference of two texts, line by line, within bounds: texts with more changes than anyone reads are shown as one
// replaced block.

import type { ChangeObject } from 'diff';
// The package's index loads every kind of difference.
import { diffArrays } from 'diff/lib/diff/array.js';

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Changed lines with context. */
export interface DiffHunk {
  /** 1-based first line in the text before and in the text after. */
  readonly before: number;
  readonly after: number;
  readonly lines: readonly DiffLine[];
}

export interface LineDiff {
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly DiffHunk[];
  /** Whether there are more changes than shown. */
  readonly isTruncated: boolean;
}

type Change = Pick<ChangeObject<number[]>, 'added' | 'removed' | 'value'>;

const CONTEXT_LINES = 3;
/** Time grows with the number of edits times the number of lines. */
const MAX_EDITS = 1000;

export function lineDiff(before: string, after: string, maxLines = 2000): LineDiff {
  const lines = diffLines(before.split('\n'), after.split('\n'));
  const added = lines.filter(({ kind }) => kind === 'added').length;
  const removed = lines.filter(({ kind }) => kind === 'removed').length;
  return { added, removed, ...buildHunks(lines, maxLines) };
}

/** Lines are numbered first: comparing numbers costs the same for any text. */
function diffLines(a: readonly string[], b: readonly string[]): DiffLine[] {
  const numbers = new Map<string, number>();
  const lineAt: string[] = [];
  const numberOf = (text: string): number => {
    const number = numbers.get(text) ?? lineAt.push(text) - 1;
    numbers.set(text, number);
    return number;
  };
  const [before, after] = [a.map(numberOf), b.map(numberOf)];
  const changes = diffArrays(before, after, { maxEditLength: MAX_EDITS }) ?? replaceBlock(before, after);
  return changes.flatMap(({ added, removed, value }) =>
    value.map((number) => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text: lineAt[number] ?? '' })),
  );
}

/** The lines between the common start and the common end were removed and added. */
function replaceBlock(a: readonly number[], b: readonly number[]): readonly Change[] {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  return [
    { added: false, removed: false, value: a.slice(0, head) },
    { added: false, removed: true, value: a.slice(head, a.length - tail) },
    { added: true, removed: false, value: b.slice(head, b.length - tail) },
    { added: false, removed: false, value: a.slice(a.length - tail) },
  ];
}

function buildHunks(lines: readonly DiffLine[], maxLines: number): Pick<LineDiff, 'hunks' | 'isTruncated'> {
  const isShown = new Uint8Array(lines.length);
  lines.forEach(({ kind }, at) => {
    if (kind !== 'same') isShown.fill(1, Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1);
  });
  const hunks: Array<DiffHunk & { readonly lines: DiffLine[] }> = [];
  let [before, after, shown] = [1, 1, 0];
  for (const [at, line] of lines.entries()) {
    if (isShown[at] === 1) {
      if (shown >= maxLines) return { hunks, isTruncated: true };
      if (at === 0 || isShown[at - 1] === 0) hunks.push({ before, after, lines: [] });
      hunks.at(-1)?.lines.push(line);
      shown += 1;
    }
    if (line.kind !== 'added') before += 1;
    if (line.kind !== 'removed') after += 1;
  }
  return { hunks, isTruncated: false };
}
