import { expect, test } from 'vitest';
import { OutlineRow, outlineRow, readOutline } from './bundled-outline.ts';

const OUTLINE = [
  { level: 1, text: 'asyncio', anchor: null, line: 1 },
  {
    level: 3,
    text: 'TaskGroup',
    anchor: 'asyncio.TaskGroup',
    line: 4,
    definition: { symbol: 'asyncio.TaskGroup', lastLine: 9, others: [{ symbol: 'TaskGroup', anchor: null }] },
  },
  { level: 2, text: 'run', anchor: 'run', line: 12, definition: { symbol: 'asyncio.run', lastLine: 12 } },
];

test('an outline is read as it was written', () => {
  expect(readOutline(OutlineRow.array().parse(OUTLINE.map(outlineRow)))).toEqual(OUTLINE);
});

test('an outline whose lines go back is rejected', () => {
  expect(readOutline([outlineRow(OUTLINE[1]!), outlineRow(OUTLINE[0]!)])).toBeNull();
});

test.each([[[0, 'a', null, 1]], [[1, 'a', null, 0]], [[1, 'a', null, 1, 'symbol']], [[1, 'a', null, 1e12]]])(
  'the row %j is rejected',
  (row) => {
    expect(OutlineRow.safeParse(row).success).toBe(false);
  },
);
