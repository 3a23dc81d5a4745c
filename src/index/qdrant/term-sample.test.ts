import { expect, test } from 'vitest';
import { createSamplePacker, openSample } from './term-sample.ts';
import type { IndexedPage } from '../../ports/point-records.ts';

function pageOf(...texts: string[]): Pick<IndexedPage, 'path' | 'title' | 'chunks'> {
  const chunk = { headings: [], symbol: null, passageKind: 'prose' } as const;
  return {
    path: 'https://x.dev/',
    title: '',
    chunks: texts.map((text) => ({ ...chunk, text })) as unknown as IndexedPage['chunks'],
  };
}

test('a sample has the number of chunks that contain each term', () => {
  const packer = createSamplePacker();
  packer.addPage(pageOf('zebras and lions', 'zebras'));
  packer.addPage(pageOf('lions'));
  const sample = openSample(packer.pack());
  expect(sample.chunks).toBe(3);
  expect(['zebra', 'lion', 'tiger', ''].map((term) => sample.frequencyOf(term))).toEqual([2, 2, 0, 0]);
  expect(sample.withPrefix('zeb', { min: 3, max: 9 })).toEqual([{ term: 'zebra', docFrequency: 2 }]);
  expect(sample.withPrefix('zeb', { min: 6, max: 9 })).toEqual([]);
});

test('a sample without pages has no terms', () => {
  const sample = openSample(createSamplePacker().pack());
  expect([sample.chunks, sample.frequencyOf('zebra'), sample.withPrefix('', { min: 0, max: 9 })]).toEqual([0, 0, []]);
});
