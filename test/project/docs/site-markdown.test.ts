// Converting a file of the project into a page of the site.

import { expect, test } from 'vitest';
import { readProjectPage, withSiteLinks, type LinkTargets } from '../../../scripts/site/site-markdown.ts';

const targets: LinkTargets = {
  pageAt: (file) => (file === 'docs/vectors.md' ? '/vectors/' : null),
  fileAt: (file) => (file === 'docs/images/a.png' ? '/files/docs/images/a.png' : null),
};
const inGuide = (body: string): string => withSiteLinks(body, 'docs/guides/team.md', targets);

test('the description of a decision is not its status', () => {
  const page = readProjectPage('# 0001. One\n\n## Status\n\nAccepted.\n\n## Context\n\nWhat was needed. More.\n');
  expect(page.description).toBe('What was needed');
});

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

test('a page without a title is rejected', () => {
  expect(() => readProjectPage('Text.')).toThrow('title');
});

test('links lead to pages and files of the site, with their fragments', () => {
  expect(inGuide('[a](../vectors.md#b) and [`c`](../vectors.md)')).toBe('[a](/vectors/#b) and [`c`](/vectors/)');
  expect(inGuide('![p](../images/a.png)')).toBe('![p](/files/docs/images/a.png)');
});

test('a link may span two lines', () => {
  expect(inGuide('[a\nb](../vectors.md)')).toBe('[a\nb](/vectors/)');
});

test('a link to a file that is not on the site is replaced by its text', () => {
  expect(inGuide('see [`core`](../../src/core/index.ts).')).toBe('see `core`.');
});

test('external URLs, fragments and code are left alone', () => {
  const same = ['[a](https://x.dev/)', '[a](#b)', '`[a](../vectors.md)`', '```md\n[a](../vectors.md)\n```\n'];
  for (const text of same) expect(inGuide(text)).toBe(text);
});
