// Grids of ruling lines: rules that touch each other and enclose cells.

import type { Rule, Rules } from './pdf-rules.ts';

export interface GridCell {
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
}

export interface Grid {
  /** Where the columns begin, and where the last one ends. */
  readonly xs: readonly number[];
  /** Where the rows begin, from the top of the page down, and where the last one ends. */
  readonly ys: readonly number[];
  readonly cells: readonly GridCell[];
  /** The cell at a place of the grid. Merged cells have several. */
  readonly cellAt: (row: number, column: number) => GridCell | undefined;
}

/** Borders of neighbouring cells, which may be drawn apart, are one rule. */
const TOLERANCE = 3;
/** Limit per direction, after rules in one line were joined. */
const MAX_RULES = 1000;
const MAX_CELLS = 10_000;

/** Finds grids of at least two rows and two columns. */
export function findGrids(rules: Rules): readonly Grid[] {
  const [horizontal, vertical] = [joinRules(rules.horizontal), joinRules(rules.vertical)];
  if (horizontal.length > MAX_RULES || vertical.length > MAX_RULES) return [];
  return connected(horizontal, vertical).flatMap((group) => gridOf(group) ?? []);
}

function joinRules(rules: readonly Rule[]): readonly Rule[] {
  const sorted = rules.toSorted((a, b) => a.at - b.at);
  const joined: Rule[] = [];
  for (let start = 0; start < sorted.length;) {
    const first = sorted[start] as Rule;
    let end = start + 1;
    while (end < sorted.length && (sorted[end] as Rule).at - first.at <= TOLERANCE) end += 1;
    const at = (first.at + (sorted[end - 1] as Rule).at) / 2;
    joined.push(...joinInLine(sorted.slice(start, end), at));
    start = end;
  }
  return joined;
}

function joinInLine(rules: readonly Rule[], at: number): readonly Rule[] {
  const joined: Rule[] = [];
  for (const { from, to } of rules.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last === undefined || from > last.to + TOLERANCE) joined.push({ at, from, to });
    else joined[joined.length - 1] = { at, from: last.from, to: Math.max(last.to, to) };
  }
  return joined;
}

function connected(horizontal: readonly Rule[], vertical: readonly Rule[]): readonly Rules[] {
  const parents = Array.from({ length: horizontal.length + vertical.length }, (_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parents[root] !== root) root = parents[root] = parents[parents[root] as number] as number;
    return root;
  };
  for (const [index, rule] of horizontal.entries())
    for (const [other, crossing] of vertical.entries())
      if (touches(rule, crossing)) parents[rootOf(index)] = rootOf(horizontal.length + other);
  const groups = new Map<number, Rules>();
  for (const [index, rule] of [...horizontal, ...vertical].entries()) {
    const group = groups.get(rootOf(index)) ?? { horizontal: [], vertical: [] };
    groups.set(rootOf(index), group);
    (index < horizontal.length ? group.horizontal : group.vertical).push(rule);
  }
  return [...groups.values()];
}

function touches(one: Rule, other: Rule): boolean {
  return reaches(one, other.at, other.at) && reaches(other, one.at, one.at);
}

function reaches({ from, to }: Rule, start: number, end: number): boolean {
  return from <= start + TOLERANCE && to >= end - TOLERANCE;
}

/** Tables are often open at their sides: the ends of the rules close them. */
function edgesOf(own: readonly Rule[], crossing: readonly Rule[]): readonly number[] {
  const edges = [...new Set(own.map(({ at }) => at))].sort((a, b) => a - b);
  const start = crossing.reduce((least, { from }) => Math.min(least, from), Infinity);
  const end = crossing.reduce((most, { to }) => Math.max(most, to), -Infinity);
  if (start < (edges[0] ?? 0) - TOLERANCE) edges.unshift(start);
  if (end > (edges.at(-1) ?? 0) + TOLERANCE) edges.push(end);
  return edges;
}

function gridOf({ horizontal, vertical }: Rules): Grid | null {
  if (horizontal.length === 0 || vertical.length === 0) return null;
  const allXs = edgesOf(vertical, horizontal);
  const allYs = edgesOf(horizontal, vertical);
  if (allXs.length * allYs.length > MAX_CELLS) return null;
  // A rule that separates nothing, such as an underline, does not count.
  const xs = allXs.filter((x, at) => isOuter(allXs, at) || separates(vertical, x, allYs));
  const ys = allYs.filter((y, at) => isOuter(allYs, at) || separates(horizontal, y, xs)).toReversed();
  if (xs.length < 3 || ys.length < 3) return null;
  return fillGrid(xs, ys, {
    right: (row, column) => hasEdge(vertical, xs[column + 1], [ys[row + 1], ys[row]]),
    below: (row, column) => hasEdge(horizontal, ys[row + 1], [xs[column], xs[column + 1]]),
  });
}

function isOuter(edges: readonly number[], at: number): boolean {
  return at === 0 || at === edges.length - 1;
}

function separates(rules: readonly Rule[], at: number, crossing: readonly number[]): boolean {
  return crossing.some((from, index) => index > 0 && hasEdge(rules, at, [crossing[index - 1], from]));
}

type Range = readonly [number | undefined, number | undefined];

function hasEdge(rules: readonly Rule[], at: number | undefined, [start = 0, end = 0]: Range): boolean {
  return rules.some((rule) => rule.at === at && reaches(rule, start, end));
}

interface Edges {
  readonly right: (row: number, column: number) => boolean;
  readonly below: (row: number, column: number) => boolean;
}

/** Places without an edge between them are one cell. */
function fillGrid(xs: readonly number[], ys: readonly number[], edges: Edges): Grid {
  const [width, height] = [xs.length - 1, ys.length - 1];
  const owners = new Map<number, GridCell>();
  const cells: GridCell[] = [];
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      if (owners.has(row * width + column)) continue;
      let [columns, rows] = [1, 1];
      while (
        column + columns < width &&
        !owners.has(row * width + column + columns) &&
        !edges.right(row, column + columns - 1)
      )
        columns += 1;
      const span = Array.from({ length: columns }, (_, at) => column + at);
      while (row + rows < height && span.every((at) => !edges.below(row + rows - 1, at))) rows += 1;
      const cell = { row, column, rows, columns };
      cells.push(cell);
      for (let at = 0; at < rows * columns; at += 1)
        owners.set((row + Math.floor(at / columns)) * width + column + (at % columns), cell);
    }
  }
  return { xs, ys, cells, cellAt: (row, column) => owners.get(row * width + column) };
}
