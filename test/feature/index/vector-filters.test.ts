// Filters of a search by vectors in the database: what is compared is what is near, whatever the size of the library.

import { expect, test } from 'vitest';
import type { SearchFilter } from '../../../src/core/lexical/query/search-filter.ts';
import { cosineSimilarity } from '../../../src/core/vector/cosine-similarity.ts';
import type { Engine } from '../../../src/store/sql/engine/engine.ts';
import { indexEverything, settlePages } from '../../support/qdrant-library.ts';
import { createSegmentIndex } from '../../../src/index/segments/segment-index.ts';
import { createRandom } from '../../support/random.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { openDatabase } from '../../support/test-database.ts';

const PAGES = 60;
const CHUNKS = 10;
const LIMIT = 5;

const DIMENSIONS = 64;

/** A unit vector, the same for the same seed. */
function vectorAt(seed: number): Float32Array {
  const random = createRandom(seed);
  const values = Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

const QUESTION = vectorAt(5000);
const vectorOf = (text: string): Float32Array => vectorAt(Number(text.split(' ')[1]) + 1);
const pathOf = (page: number): string => (page % 2 === 0 ? 'guide' : 'reference');
const headingOf = (page: number): string => `Part ${page % 3}`;

/** By comparing all of them. */
function nearestTexts(isPassing: (page: number) => boolean): string[] {
  const all = Array.from({ length: PAGES * CHUNKS }, (_, at) => at).filter((at) => isPassing(Math.floor(at / CHUNKS)));
  const scored = all.map((at) => ({ at, similarity: cosineSimilarity(QUESTION, vectorOf(`text ${at}`)) }));
  scored.sort((left, right) => right.similarity - left.similarity);
  return scored.slice(0, LIMIT).map(({ at }) => `text ${at}`);
}

test('a filter reads the nearest chunks and not those of the whole library (finding D17)', async () => {
  let rows = 0;
  const counting = (engine: Engine): Engine => ({
    ...engine,
    reader: {
      ...engine.reader,
      each: async <Row>(...args: Parameters<Engine['reader']['each']>) => {
        const found = await engine.reader.each<Row>(...args);
        rows += found.length;
        return found;
      },
    },
  });
  const { store } = await openDatabase({ engine: 'sqlite', directory: temporaryDirectory() }, counting);
  const source = await settlePages(
    store,
    Array.from({ length: PAGES }, (_, page) => ({
      url: `https://x.dev/${pathOf(page)}/${page}`,
      texts: Array.from({ length: CHUNKS }, (_unused, chunk) => `text ${page * CHUNKS + chunk}`),
      chunk: { headings: [headingOf(page)] },
    })),
  );
  await indexEverything(createSegmentIndex(store.segments));
  const { id: space } = await store.vectors.openSpace('test/64', DIMENSIONS, {});
  for (;;) {
    const claims = await store.vectors.claim(space, 'test', 100, 60_000);
    if (claims.length === 0) break;
    await store.vectors.settle(
      claims.map((claim) => ({ claim, outcome: { kind: 'embedded', vector: vectorOf(claim.text) } })),
    );
  }
  const request = {
    space,
    vector: QUESTION,
    versions: source.versions.map(({ id }) => id),
    limit: LIMIT,
  };
  const find = async (filter: SearchFilter): Promise<string[]> =>
    (await store.vectors.nearest({ ...request, filter })).map(({ chunk }) => chunk.text);
  expect(await find({})).toEqual(nearestTexts(() => true));
  rows = 0;
  expect(await find({ pathPrefix: '/reference/' })).toEqual(nearestTexts((page) => pathOf(page) === 'reference'));
  // Quantized vectors are scanned in memory; the best 300 are read, and of these 20 are compared with the filter.
  expect(rows).toBeLessThan(400);
  const rare = { pathPrefix: '/guide/58', headingPrefix: headingOf(58).toLowerCase() };
  expect(await find(rare)).toEqual(nearestTexts((page) => page === 58));
  await store.close();
});
