// Patience diff of two texts, line by line. Lines that are unique in both texts are the anchors: their longest increasing
// sequence is unchanged, and what is between two anchors was removed and added. Nearly linear time for any text.

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
  readonly isCut: boolean;
}

const CONTEXT_LINES = 3;

export function lineDiff(before: string, after: string, maxLines = 2000): LineDiff {
  const lines = diffLines(before.split('\n'), after.split('\n'));
  const added = lines.filter(({ kind }) => kind === 'added').length;
  const removed = lines.filter(({ kind }) => kind === 'removed').length;
  return { added, removed, ...buildHunks(lines, maxLines) };
}

function diffLines(a: readonly string[], b: readonly string[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let [atA, atB] = [0, 0];
  for (const [endA, endB] of [...anchors(a, b), [a.length, b.length] as const]) {
    diffGap(a.slice(atA, endA), b.slice(atB, endB), lines);
    if (endA < a.length) lines.push({ kind: 'same', text: a[endA] ?? '' });
    [atA, atB] = [endA + 1, endB + 1];
  }
  return lines;
}

/** Between anchors, the common prefix and suffix are unchanged. */
function diffGap(a: readonly string[], b: readonly string[], to: DiffLine[]): void {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  for (const text of a.slice(0, head)) to.push({ kind: 'same', text });
  for (const text of a.slice(head, a.length - tail)) to.push({ kind: 'removed', text });
  for (const text of b.slice(head, b.length - tail)) to.push({ kind: 'added', text });
  for (const text of a.slice(a.length - tail)) to.push({ kind: 'same', text });
}

type Pair = readonly [inA: number, inB: number];

function anchors(a: readonly string[], b: readonly string[]): readonly Pair[] {
  const inB = uniqueLines(b);
  const pairs: Pair[] = [];
  for (const [text, at] of uniqueLines(a)) {
    const other = inB.get(text);
    if (other !== undefined) pairs.push([at, other]);
  }
  return longestIncreasing(pairs);
}

function uniqueLines(lines: readonly string[]): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  const repeated = new Set<string>();
  lines.forEach((text, at) => {
    if (positions.has(text)) repeated.add(text);
    positions.set(text, at);
  });
  for (const text of repeated) positions.delete(text);
  return positions;
}

/** The longest sequence of pairs that increases in both texts, by patience sorting. Pairs are in the order of the first text. */
function longestIncreasing(pairs: readonly Pair[]): readonly Pair[] {
  const ends: number[] = [];
  const previous: number[] = [];
  pairs.forEach(([, inB], at) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < inB) low = middle + 1;
      else high = middle;
    }
    previous[at] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = at;
  });
  const increasing: Pair[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) increasing.push(pair);
  }
  return increasing.toReversed();
}

function buildHunks(lines: readonly DiffLine[], maxLines: number): Pick<LineDiff, 'hunks' | 'isCut'> {
  const isShown = new Uint8Array(lines.length);
  lines.forEach(({ kind }, at) => {
    if (kind !== 'same') isShown.fill(1, Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1);
  });
  const hunks: Array<DiffHunk & { readonly lines: DiffLine[] }> = [];
  let [before, after, shown] = [1, 1, 0];
  for (const [at, line] of lines.entries()) {
    if (isShown[at] === 1) {
      if (shown >= maxLines) return { hunks, isCut: true };
      if (at === 0 || isShown[at - 1] === 0) hunks.push({ before, after, lines: [] });
      hunks.at(-1)?.lines.push(line);
      shown += 1;
    }
    if (line.kind !== 'added') before += 1;
    if (line.kind !== 'removed') after += 1;
  }
  return { hunks, isCut: false };
}
