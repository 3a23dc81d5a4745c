// The same input gives the same chunks on every machine. A change here requires a new version of a chunker.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { chunkRef, compareChunks } from '../../../src/core/chunk/chunk-names.ts';
import { createChunkers } from '../../../src/core/chunk/chunkers.ts';
import { createGrammarLoader } from '../../../src/core/chunk/code/grammar-loader.ts';
import { joinChunks } from '../../../src/core/chunk/finalize-chunks.ts';
import type { Document, DocumentFormat } from '../../../src/core/model/document.ts';
import { sha256Hex } from '../../../src/core/model/hash.ts';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import { createNodeGrammarFiles } from '../../../src/parse/node-grammar-files.ts';
import { describeChunks } from '../../support/describe-chunks.ts';
import { documentFixture } from '../../support/document-fixture.ts';

const cases: ReadonlyArray<readonly [string, DocumentFormat, string | null]> = [
  ['guide.md', 'markdown', null],
  ['settings.json', 'json', null],
  ['retry.ts.txt', 'code', 'typescript'],
  ['retry.py', 'code', 'python'],
  ['notes.txt', 'text', null],
];

/** Hash of the ids of all chunks below, in bundle order. */
const GOLDEN_HASH = 'ed232e37eb7c6a803b23b93b350311ac30fb906a3e66f6708550a740560418db';

const limits = { targetChars: 300, capChars: 500, maxChunks: 100 };
const folder = join(import.meta.dirname, '../../data/golden/chunk');
const chunkers = createChunkers(createGrammarLoader(createNodeGrammarFiles()));

function documentOf(name: string, format: DocumentFormat, codeLanguage: string | null): Document {
  const text = readFileSync(join(folder, name), 'utf8');
  return documentFixture(text, { format, codeLanguage, title: name, url: pageUrl(`file:///${name}`) });
}

const withYaml: typeof cases = [...cases, ['compose.yaml', 'yaml', null]];

beforeAll(async () => {
  for (const [, format, codeLanguage] of cases) await chunkers.prepare({ format, codeLanguage });
});

test.each(withYaml)('%s', async (name, format, codeLanguage) => {
  const document = documentOf(name, format, codeLanguage);
  const result = chunkers.chunk(document, limits);
  await expect(describeChunks(result)).toMatchFileSnapshot(join(folder, `${name}.chunks`));
  expect(joinChunks(result)).toBe(document.text.trimEnd());
});

test('[C5] the hash of all ids does not depend on the order of the files', () => {
  const hashOf = (files: typeof cases): string => {
    const pathed = files.flatMap(([name, format, language]) =>
      chunkers.chunk(documentOf(name, format, language), limits).chunks.map((chunk) => ({ path: name, chunk })),
    );
    return sha256Hex(
      pathed
        .sort(compareChunks)
        .map(({ chunk }, at) => `${chunkRef(at)} ${chunk.id}\n`)
        .join(''),
    );
  };
  expect(hashOf(cases)).toBe(GOLDEN_HASH);
  expect(hashOf(cases.toReversed())).toBe(GOLDEN_HASH);
});
