// The examples of docs/formats.md are what the program writes: each names a file of the golden bundle, and `…` stands for anything.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const examples = [
  ...readFileSync(join(root, 'docs', 'formats.md'), 'utf8').matchAll(/^```\w+ (full|compact) (\S+)\n([\s\S]*?)^```$/gm),
].map(([, format, file, text]) => ({ format: format!, file: file!, text: text! }));

function goldenFile(format: string, name: string): string {
  const bundle = readFileSync(join(root, 'test/data/golden/export', `${format}.txt`), 'utf8');
  const parts = bundle.split(/^=== (.+)\n/m);
  const at = parts.indexOf(name);
  if (at === -1) throw new Error(`the ${format} bundle has no ${name}`);
  return parts[at + 1]!;
}

test.each(examples)('the example of $file ($form) is what an export writes', ({ format, file, text }) => {
  const pattern = text
    .split('…')
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
    .join(String.raw`[\s\S]*?`);
  expect(goldenFile(format, file)).toMatch(new RegExp(`^${pattern}$`));
});

test('every file of a bundle has an example, or is one of those that need none', () => {
  const shown = new Set(examples.map(({ file }) => file.replace(/^chunks\/.*/, 'chunks')));
  const expected = [
    'catalog.llm.md',
    'chunks',
    'index.json',
    'manifest.json',
    'manifest.llm.tsv',
    'manifest.min.json',
    'outline.md',
    'pinakes.json',
  ];
  expect([...shown].sort()).toEqual(expected);
});
