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

test('the way to older items is a command, not a field', () => {
  const entries = [{ id: 7 }];
  const more = renderDefault({ entries, cursors: { nextBefore: 7, prevAfter: 7 } }, PLAIN_OUTPUT);
  expect(more).toBe('id\n 7\n\nThere are more. Add to the same command: --before 7\n');
  expect(renderDefault({ entries, cursors: { nextBefore: null, prevAfter: 7 } }, PLAIN_OUTPUT)).toBe('id\n 7\n');
});
