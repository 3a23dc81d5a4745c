// How a file of the project becomes a page of the site.

import { expect, test } from 'vitest';
import { readProjectPage, withSiteLinks, type LinkPlaces } from '../../scripts/site/site-markdown.ts';

const places: LinkPlaces = {
  pageAt: (file) => (file === 'docs/vectors.md' ? '/vectors/' : null),
  fileAt: (file) => (file === 'docs/images/a.png' ? '/files/docs/images/a.png' : null),
};
const inGuide = (body: string): string => withSiteLinks(body, 'docs/guides/team.md', places);

test('the title is taken from the first line, the description from the first sentence', () => {
  const page = readProjectPage(
    '# The `x` page\n\n<!-- Written. -->\n\nWhat [it](y.md) is, and why. More.\n\n## Next\n',
  );
  expect(page).toEqual({
    title: 'The x page',
    description: 'What it is, and why',
    body: 'What [it](y.md) is, and why. More.\n\n## Next',
  });
});

test('a page without a title is refused', () => {
  expect(() => readProjectPage('Text.')).toThrow('title');
});

test('links lead to pages and files of the site, with their fragments', () => {
  expect(inGuide('[a](../vectors.md#b) and [`c`](../vectors.md)')).toBe('[a](/vectors/#b) and [`c`](/vectors/)');
  expect(inGuide('![p](../images/a.png)')).toBe('![p](/files/docs/images/a.png)');
});

test('a link may be broken over two lines', () => {
  expect(inGuide('[a\nb](../vectors.md)')).toBe('[a\nb](/vectors/)');
});

test('a link to what is not on the site becomes its text', () => {
  expect(inGuide('see [`core`](../../src/core/index.ts).')).toBe('see `core`.');
});

test('addresses, places on the same page and code are left alone', () => {
  const same = ['[a](https://x.dev/)', '[a](#b)', '`[a](../vectors.md)`', '```md\n[a](../vectors.md)\n```\n'];
  for (const text of same) expect(inGuide(text)).toBe(text);
});
