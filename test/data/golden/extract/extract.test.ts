// Each folder here holds one input and what becomes of it: the text in output.md, the rest in output.json.
// UPDATE_GOLDEN=1 writes them anew; the difference is then read by a person.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { extractors } from '../../../../src/core/extract/extractors.ts';
import { createExtractorRegistry } from '../../../../src/core/extract/extractor-registry.ts';
import { pageUrl } from '../../../../src/core/model/page-url.ts';

const here = new URL('./', import.meta.url);
const registry = createExtractorRegistry(extractors);
const cases = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

test.each(cases)('%s', (name) => {
  const folder = new URL(`${name}/`, here);
  const input = readdirSync(folder).find((file) => file.startsWith('input.')) ?? '';
  const body = readFileSync(new URL(input, folder));
  const page = { url: pageUrl(`https://docs.test/guide/${name}/${input}`), mediaType: null, body };
  const { document, metadata } = registry.extract(page);
  const { text, ...rest } = document;
  const json = `${JSON.stringify({ extractor: registry.choose(page).name, ...rest, metadata }, null, 2)}\n`;

  if (process.env['UPDATE_GOLDEN'] === '1' || !existsSync(new URL('output.md', folder))) {
    expect(process.env['CI']).toBeUndefined();
    writeFileSync(new URL('output.md', folder), text);
    writeFileSync(new URL('output.json', folder), json);
  }
  expect(text).toBe(readFileSync(new URL('output.md', folder), 'utf8'));
  expect(json).toBe(readFileSync(new URL('output.json', folder), 'utf8'));
});
