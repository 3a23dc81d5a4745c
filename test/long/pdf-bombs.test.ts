// PDF files that unpack to gigabytes, through parser threads with the default limits: each ends with a reason, and the process
// does not grow beyond what its limits allow.

import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { pageUrl } from '../../src/core/model/page-url.ts';
import { createThreadParser } from '../../src/parse/thread-parser.ts';
import { drawTexts, pdfObjects, pdfOf, streamOf } from '../support/pdf-files.ts';

const LIMIT_MB = 512;
const parser = createThreadParser({ threads: 1, maxHeapMb: LIMIT_MB });
afterAll(() => parser.close());

/** What unpacks to `text`, `times` over. */
function packedTimes(text: string, times: number): Uint8Array {
  const once = deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([
    Uint8Array.from([0x78, 0x9c]),
    ...Array.from({ length: times }, () => once),
    deflateRawSync(''),
  ]);
}

const drawing = (content: Uint8Array, filter: string): Uint8Array =>
  pdfOf({ ...pdfObjects([[]]), 11: streamOf(content, `/Filter ${filter}`) });
const spaces = packedTimes(' '.repeat(8e6), 1000);
const texts = packedTimes(`${drawTexts([{ text: 'kettle', y: 700 }])}\n`.repeat(100), 10_000);

test.each([
  ['8 GB in a stream', () => drawing(spaces, '/FlateDecode'), ['parse.memory']],
  [
    '8 GB in a stream that is packed twice',
    () => drawing(deflateSync(spaces), '[/FlateDecode /FlateDecode]'),
    ['parse.memory'],
  ],
  [
    '8 GB by a filter that is named by reference',
    () => pdfOf({ ...pdfObjects([[]]), 11: streamOf(spaces, '/Filter 6 0 R'), 6: '/FlateDecode' }),
    ['parse.memory'],
  ],
  ['a million texts', () => drawing(texts, '/FlateDecode'), ['extract.limit']],
  [
    '500 pages with as many texts as are allowed',
    () => {
      const page = packedTimes(`${drawTexts([{ text: 'kettle', y: 700 }])}\n`.repeat(100), 290);
      const objects = pdfObjects(Array.from({ length: 500 }, () => []));
      for (const [number, object] of Object.entries(objects))
        if (typeof object === 'string') objects[Number(number)] = object.replace(/\/Contents \d+/, '/Contents 11');
      objects[11] = streamOf(page, '/Filter /FlateDecode');
      return pdfOf(objects);
    },
    ['extract.limit', 'parse.timeout', 'parse.memory'],
  ],
] as const)('[L3] %s', async (_, build, codes) => {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  const body = new Uint8Array(build());
  const outcome = await parser.parse({ url: pageUrl('file:///a.pdf'), mediaType: null, body }).then(
    () => 'read',
    (error: { readonly code: string }) => error.code,
  );
  clearInterval(timer);
  expect(codes).toContain(outcome);
  // The heap, what is outside it, and what was allocated until the next look at it.
  expect((most - before) / 1_048_576).toBeLessThan(3 * LIMIT_MB);
});
