import { expect, test } from 'vitest';
import { PLAIN_OUTPUT } from './columns.ts';
import { renderDefault } from './render-default.ts';

test('fields come first, then tables, then texts', () => {
  const result = {
    text: 'one\ntwo',
    pages: [
      { url: '/a', chunks: 3, isStored: true },
      { url: '/long', chunks: 12, title: 'Long' },
    ],
    nextRunAt: null,
    totalPages: 2,
    names: ['a', 'b'],
    size: { bytes: 1 },
  };
  expect(renderDefault(result, PLAIN_OUTPUT)).toBe(`total pages  2
names        a, b
size         {"bytes":1}

url    chunks  is stored  title
/a          3  yes
/long      12             Long

one
two
`);
});

test('an empty list is named', () => {
  expect(renderDefault({ openRuns: [] }, PLAIN_OUTPUT)).toBe('No open runs.\n');
});

test('a result without any content is done', () => {
  expect(renderDefault({ removed: null }, PLAIN_OUTPUT)).toBe('Done.\n');
});
