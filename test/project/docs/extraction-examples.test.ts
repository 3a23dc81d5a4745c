// Checks that the extraction examples are up to date.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT, readProject } from '../../support/project-files.ts';
import { runIn } from '../../support/planted-tree.ts';

const files = readdirSync(join(PROJECT, 'docs/extraction'), 'utf8').sort();

test('before and after match the extractor', () => {
  expect(runIn(PROJECT, 'node scripts/write-extraction-examples.ts --check')).toMatchObject({ status: 0, stderr: '' });
});

test('there are examples of at least six generators, and docs/extraction.md links to all of them', () => {
  const pages = files.filter((file) => file.endsWith('.html'));
  const texts = files.filter((file) => file.endsWith('.md'));
  expect(pages.length).toBeGreaterThanOrEqual(6);
  expect(texts).toEqual(pages.map((file) => file.replace('.html', '.md')));
  const guide = readProject('docs/extraction.md');
  expect(texts.filter((file) => !guide.includes(`(extraction/${file})`))).toEqual([]);
});
