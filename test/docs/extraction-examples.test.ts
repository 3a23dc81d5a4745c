// The pages that show extraction show what it does today.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT, readProject } from '../package/project-files.ts';
import { runIn } from '../shape/planted-tree.ts';

const files = readdirSync(join(PROJECT, 'docs/extraction'), 'utf8').sort();

test('before and after are what the extractor says', () => {
  expect(runIn(PROJECT, 'node scripts/write-extraction-examples.ts --check')).toMatchObject({ status: 0, stderr: '' });
});

test('at least six generators are shown, each with its page, and docs/extraction.md leads to all', () => {
  const pages = files.filter((file) => file.endsWith('.html'));
  const texts = files.filter((file) => file.endsWith('.md'));
  expect(pages.length).toBeGreaterThanOrEqual(6);
  expect(texts).toEqual(pages.map((file) => file.replace('.html', '.md')));
  const guide = readProject('docs/extraction.md');
  expect(texts.filter((file) => !guide.includes(`(extraction/${file})`))).toEqual([]);
});
