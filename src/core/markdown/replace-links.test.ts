import { expect, test } from 'vitest';
import { absoluteLinks } from './replace-links.ts';

const PAGE = 'https://x.dev/docs/guide/start';

test.each([
  ['See [A](a.html#b) and [root](/r).', 'See [A](https://x.dev/docs/guide/a.html#b) and [root](https://x.dev/r).'],
  ['![pic](../img/x.png "A title")', '![pic](https://x.dev/docs/img/x.png "A title")'],
  ['[with spaces](<a b.md>)', '[with spaces](https://x.dev/docs/guide/a%20b.md)'],
  ['[ref]: ./a.html "Title"', '[ref]: https://x.dev/docs/guide/a.html "Title"'],
  ['[^1]: a footnote', '[^1]: a footnote'],
  ['[site](https://y.dev/), [mail](mailto:a@x.dev), [here](#top)', null],
  ['`[code](a.md)` and [b](b)', '`[code](a.md)` and [b](https://x.dev/docs/guide/b)'],
  ['```md\n[code](a.md)\n```', null],
])('links of %j are absolute (finding T27)', (text, expected) => {
  expect(absoluteLinks(text, PAGE)).toBe(expected ?? text);
});

test('links of a local file stay as they are', () => {
  expect(absoluteLinks('[A](a.md)', 'file:///docs/b.md')).toBe('[A](a.md)');
});
