import { expect, test } from 'vitest';
import { displayWidth, PLAIN_OUTPUT, renderRows, renderFields, truncateToWidth } from './columns.ts';

test('columns are aligned by the cells that a terminal draws, not by characters', () => {
  const rows = [
    { URL: '/a', Title: '設定', N: 1 },
    { URL: '/longer', Title: 'Cafe\u0301 👩‍💻', N: 12 },
  ];
  const lines = renderRows(rows, PLAIN_OUTPUT).trimEnd().split('\n');
  expect(lines).toEqual(['URL      Title     N', '/a       設定      1', '/longer  Cafe\u0301 👩‍💻  12']);
  expect(new Set(lines.map(displayWidth)).size).toBe(1);
});

test('a line is truncated to the terminal, its widest columns first, and what was cut is marked', () => {
  const rows = [
    { URL: 'https://docs.example.dev/a/very/long/path/to/a/page', Title: 'A long title of that page', N: 7 },
  ];
  const text = renderRows(rows, { width: 40, colors: false });
  for (const line of text.trimEnd().split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(40);
  expect(text).toContain('…');
  expect(text).toMatch(/ 7\n$/);
  expect(renderRows(rows, PLAIN_OUTPUT)).not.toContain('…');
});

test('a title cannot move the cursor, begin a line of its own or hide text', () => {
  const rows = [{ URL: '/a', Title: 'one\u001b[2Jtwo\nhttps://evil.example  forged\u202e', N: 1 }];
  const text = renderRows(rows, PLAIN_OUTPUT);
  expect(text).not.toContain('\u001b');
  expect(text).not.toContain('\u202e');
  expect(text.trimEnd().split('\n')).toHaveLength(2);
  expect(renderFields([['Title', 'a\nChunks  99']], PLAIN_OUTPUT)).toBe('Title  a Chunks 99\n');
});

test('a wide character that does not fit is left out whole', () => {
  expect(truncateToWidth('設定設定', 6)).toBe('設定…');
  expect(truncateToWidth('設定設定', 8)).toBe('設定設定');
});
