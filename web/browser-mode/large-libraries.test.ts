import { expect, test } from 'vitest';
import { fileName } from './large-libraries.ts';

test('libraries whose long names begin alike have files of their own', () => {
  const names = [
    'docs',
    'Docs',
    'docs/',
    'ä'.repeat(300),
    `${'ä'.repeat(300)}b`,
    `${'a'.repeat(300)}1`,
    `${'a'.repeat(300)}2`,
  ];
  const files = names.map(fileName);
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(names.length);
  for (const file of files) expect(file).toMatch(/^[a-z0-9-]{1,110}\.jsonl$/);
});
