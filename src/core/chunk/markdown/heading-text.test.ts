import { expect, test } from 'vitest';
import { parseHeading } from './heading-text.ts';

test.each([
  ['## Plain *text* here ##', 'Plain text here', null, null],
  ['# [Linked](https://x.dev/a) title', 'Linked title', null, null],
  ['Set\nby a line\n===', 'Set by a line', null, null],
  ['## Title {#own-anchor}', 'Title', 'own-anchor', null],
  ['### `fs.readFileSync(path[, options])`', 'fs.readFileSync(path[, options])', null, 'fs.readFileSync'],
  ['### Class: `http.Agent`', 'Class: http.Agent', null, 'http.Agent'],
  ['## os.path.join(path, *paths)', 'os.path.join(path, paths)', null, 'os.path.join'],
  ['## max_connections', 'max_connections', null, 'max_connections'],
  ['## --watch', '--watch', null, '--watch'],
  ['## std::vec::Vec', 'std::vec::Vec', null, 'std::vec::Vec'],
  ['## Using `map` with large arrays', 'Using map with large arrays', null, null],
  ['## Introduction', 'Introduction', null, null],
  ['## Node.js', 'Node.js', null, 'Node.js'],
  ['#', '', null, null],
])('%s', (source, text, anchor, symbol) => {
  expect(parseHeading(source)).toEqual({ text, anchor, symbol });
});
