// The ruling lines of a PDF page: stroked lines, the sides of stroked rectangles, and filled rectangles that are as thin as
// a line.

import type { PdfPage } from 'unpdf';

/** A horizontal rule is at a height from one x to another, a vertical one at an x from one height to another. */
export interface Rule {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

export interface Rules {
  readonly horizontal: Rule[];
  readonly vertical: Rule[];
}

/** How many operators of a file may still be read. */
export interface OperatorBudget {
  left: number;
}

export const MAX_OPERATORS = 4_000_000;
const MAX_OPERATORS_OF_PAGE = 100_000;
const MAX_RULES = 6000;
/** What a page over its limits costs the file. */
const OVER = MAX_OPERATORS / 10;
const MAX_THICKNESS = 3;
const MIN_LENGTH = 3;

/** The numbers of pdf.js for what it draws: for display, without annotations, and without joining operators. */
const INTENT = 2 | 64 | 256;
const SAVE = 10;
const RESTORE = 11;
const TRANSFORM = 12;
const FORM_BEGIN = 74;
const FORM_END = 75;
const PATH = 91;
const STROKES: ReadonlySet<unknown> = new Set([20, 21, 24, 25, 26, 27]);
const FILLS: ReadonlySet<unknown> = new Set([22, 23]);
const [MOVE, LINE, CLOSE] = [0, 1, 4];
/** Numbers of a part of a path: move, line, two kinds of curves, and close. */
const LENGTHS = [3, 3, 7, 5, 1];

type Matrix = readonly [number, number, number, number, number, number];

/** Null if the page or the file draws more than is worth reading. */
export async function readRules(page: PdfPage, number: number, budget: OperatorBudget): Promise<Rules | null> {
  if (budget.left <= 0) return null;
  const request = { pageId: number - 1, pageIndex: number - 1, intent: INTENT, cacheKey: '', annotationStorage: null };
  // The whole list at once has no limit. A stream that is not read on waits, and ends with the file.
  const stream = page._transport.messageHandler.sendWithStream('GetOperatorList', request, { highWaterMark: 1 });
  const reader = stream.getReader();
  const rules: Rules = { horizontal: [], vertical: [] };
  const draw = createPen(rules);
  let left = Math.min(budget.left, MAX_OPERATORS_OF_PAGE);
  for (let next = await reader.read(); next.value !== undefined; next = await reader.read()) {
    const { fnArray, argsArray } = next.value;
    left -= fnArray.length;
    budget.left -= fnArray.length;
    if (left < 0 || rules.horizontal.length + rules.vertical.length > MAX_RULES) {
      budget.left -= OVER;
      return null;
    }
    for (const [at, operator] of fnArray.entries()) draw(operator, argsArray[at] ?? []);
  }
  return rules;
}

/** Follows the position of what is drawn. */
function createPen(rules: Rules): (operator: number, args: readonly unknown[]) => void {
  const saved: Matrix[] = [];
  let matrix: Matrix = [1, 0, 0, 1, 0, 0];
  return (operator, args) => {
    if (operator === SAVE || operator === FORM_BEGIN) saved.push(matrix);
    if (operator === RESTORE || operator === FORM_END) matrix = saved.pop() ?? matrix;
    else if (operator === TRANSFORM) matrix = multiply(matrix, args as unknown as Matrix);
    else if (operator === FORM_BEGIN && args[0] !== null) matrix = multiply(matrix, args[0] as Matrix);
    else if (operator === PATH) addPath(rules, matrix, args);
  };
}

function multiply([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

type Point = readonly [x: number, y: number];

function addPath(rules: Rules, matrix: Matrix, args: readonly unknown[]): void {
  const [paint, buffers] = args as [unknown, readonly unknown[]];
  const path = buffers[0];
  const isStroke = STROKES.has(paint);
  if (!(path instanceof Float32Array) || (!isStroke && !FILLS.has(paint))) return;
  for (const points of partsOf(path, matrix)) {
    if (!isStroke) addRule(rules, points);
    else for (let at = 1; at < points.length; at += 1) addRule(rules, points.slice(at - 1, at + 1));
  }
}

/** The parts of a path that are made of straight lines. */
function partsOf(path: Float32Array, [a, b, c, d, e, f]: Matrix): readonly Point[][] {
  const parts: Point[][] = [];
  let part: Point[] = [];
  for (let at = 0; at < path.length;) {
    const kind = path[at] as number;
    const [x, y] = [path[at + 1] as number, path[at + 2] as number];
    if (kind !== LINE && kind !== CLOSE) parts.push((part = []));
    if (kind === MOVE || kind === LINE) part.push([a * x + c * y + e, b * x + d * y + f]);
    if (kind === CLOSE && part[0] !== undefined) part.push(part[0]);
    at += LENGTHS[kind] ?? path.length;
  }
  return parts;
}

/** What is long and thin is a rule, whatever its shape. */
function addRule(rules: Rules, points: readonly Point[]): void {
  if (points.length < 2) return;
  const [left, right] = rangeOf(points, 0);
  const [bottom, top] = rangeOf(points, 1);
  if (top - bottom <= MAX_THICKNESS && right - left >= MIN_LENGTH && right - left > top - bottom)
    rules.horizontal.push({ at: (top + bottom) / 2, from: left, to: right });
  else if (right - left <= MAX_THICKNESS && top - bottom >= MIN_LENGTH)
    rules.vertical.push({ at: (left + right) / 2, from: bottom, to: top });
}

function rangeOf(points: readonly Point[], axis: 0 | 1): readonly [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (const point of points) {
    least = Math.min(least, point[axis]);
    most = Math.max(most, point[axis]);
  }
  return [least, most];
}
