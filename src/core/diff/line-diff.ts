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
/** A page may have millions; the rest is not compared. */
const MAX_LINES = 300_000;

export function lineDiff(before: string, after: string, maxLines = 2000): LineDiff {
  const [a, b] = [before.split('\n', MAX_LINES + 1), after.split('\n', MAX_LINES + 1)];
  const isCut = a.length > MAX_LINES || b.length > MAX_LINES;
  const { changes, textOf } = diffLines(a.slice(0, MAX_LINES), b.slice(0, MAX_LINES));
  const count = (kind: 'added' | 'removed'): number =>
    changes.reduce((sum, change) => sum + (change[kind] ? change.value.length : 0), 0);
  const { hunks, isTruncated } = buildHunks(changes, textOf, maxLines);
  return { added: count('added'), removed: count('removed'), hunks, isTruncated: isTruncated || isCut };
}

interface LineChanges {
  readonly changes: readonly Change[];
  readonly textOf: (line: number) => string;
}

/** Lines are numbered first: comparing numbers costs the same for any text. */
function diffLines(a: readonly string[], b: readonly string[]): LineChanges {
  const numbers = new Map<string, number>();
  const lineAt: string[] = [];
  const numberOf = (text: string): number => {
    const number = numbers.get(text) ?? lineAt.push(text) - 1;
    numbers.set(text, number);
    return number;
  };
  const [before, after] = [a.map(numberOf), b.map(numberOf)];
  const changes = diffArrays(before, after, { maxEditLength: MAX_EDITS }) ?? replaceBlock(before, after);
  return { changes: changes.filter(({ value }) => value.length > 0), textOf: (line) => lineAt[line] ?? '' };
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

/** Only lines that are shown are built: a page may have been replaced by a very long one. */
function buildHunks(
  changes: readonly Change[],
  textOf: LineChanges['textOf'],
  maxLines: number,
): Pick<LineDiff, 'hunks' | 'isTruncated'> {
  const hunks: Array<DiffHunk & { readonly lines: DiffLine[] }> = [];
  let shown = 0;
  for (const { kind, line, before, after, startsHunk } of shownLines(changes)) {
    if (shown >= maxLines) return { hunks, isTruncated: true };
    if (startsHunk) hunks.push({ before, after, lines: [] });
    hunks.at(-1)?.lines.push({ kind, text: textOf(line) });
    shown += 1;
  }
  return { hunks, isTruncated: false };
}

interface ShownLine {
  readonly kind: DiffLine['kind'];
  readonly line: number;
  readonly before: number;
  readonly after: number;
  /** The line before it is not shown. */
  readonly startsHunk: boolean;
}

function* shownLines(changes: readonly Change[]): Generator<ShownLine> {
  let [before, after, next] = [1, 1, -1];
  for (const [at, change] of changes.entries()) {
    const { length } = change.value;
    const kind = change.added ? 'added' : change.removed ? 'removed' : 'same';
    const [stepBefore, stepAfter] = [Number(kind !== 'added'), Number(kind !== 'removed')];
    for (const nth of shownIndexes(kind, length, { isFirst: at === 0, isLast: at === changes.length - 1 })) {
      yield {
        kind,
        line: change.value[nth] ?? 0,
        before: before + stepBefore * nth,
        after: after + stepAfter * nth,
        startsHunk: nth !== next,
      };
      next = nth + 1;
    }
    // The first line of the next change follows on the last one of this.
    next = next === length ? 0 : -1;
    [before, after] = [before + stepBefore * length, after + stepAfter * length];
  }
}

/** The unchanged lines next to changed ones. */
function* shownIndexes(
  kind: DiffLine['kind'],
  length: number,
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): Generator<number> {
  const head = kind === 'same' ? (isFirst ? 0 : CONTEXT_LINES) : length;
  const tail = kind === 'same' && !isLast ? length - CONTEXT_LINES : length;
  for (let nth = 0; nth < Math.min(head, length); nth += 1) yield nth;
  for (let nth = Math.max(head, tail); nth < length; nth += 1) yield nth;
}
