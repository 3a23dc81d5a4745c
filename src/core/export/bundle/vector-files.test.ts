import { expect, test } from 'vitest';
import { sha256Hex } from '../../model/hash.ts';
import { readBundledSpaces, vectorFile, vectorFileName, VECTORS_JSON, vectorsJson } from './vector-files.ts';

const space = { fingerprint: 'model=a', dimensions: 2 };
const rows = [
  { contentHash: sha256Hex('one'), vector: new Float32Array([1, 0]) },
  { contentHash: sha256Hex('two'), vector: new Float32Array([0.6, -0.8]) },
];

function bundleWith(file: Uint8Array): ReadonlyMap<string, Uint8Array> {
  return new Map([
    [VECTORS_JSON, new TextEncoder().encode(vectorsJson([space]))],
    [vectorFileName(1, 1), file],
  ]);
}

test('vectors survive the round trip', () => {
  const [read] = readBundledSpaces(bundleWith(vectorFile(rows)));
  expect(read).toMatchObject(space);
  expect([...(read?.rows() ?? [])]).toEqual(rows);
});

test('a truncated file yields nothing, and vectors that are not unit vectors are left out', () => {
  const whole = vectorFile(rows);
  expect([...readBundledSpaces(bundleWith(whole.subarray(0, -1)))[0]!.rows()]).toEqual([]);
  const lies = [
    [2, 0],
    [Number.NaN, 1],
    [Number.POSITIVE_INFINITY, 0],
    [0, 0],
  ].map((numbers) => ({
    contentHash: sha256Hex('lie'),
    vector: new Float32Array(numbers),
  }));
  const [read] = readBundledSpaces(bundleWith(vectorFile([...lies, ...rows])));
  expect([...(read?.rows() ?? [])]).toEqual(rows);
});

test('an invalid list of spaces is ignored', () => {
  for (const text of ['{', '[]', '{"format":1}', '{"format":1,"spaces":[{"fingerprint":"a","dimensions":1e9}]}'])
    expect(readBundledSpaces(new Map([[VECTORS_JSON, new TextEncoder().encode(text)]]))).toEqual([]);
});
