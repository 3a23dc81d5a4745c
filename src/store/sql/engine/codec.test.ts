import { expect, test } from 'vitest';
import { vectorBytes, vectorOf } from './codec.ts';

test.each([0, 1, 2, 3, 4])('a vector is read from the middle of a buffer, %i bytes after its start', (offset) => {
  const vector = Float32Array.of(0.25, -1, 3);
  const packet = Buffer.alloc(20);
  packet.set(vectorBytes(vector), offset);
  expect(vectorOf(packet.subarray(offset, offset + 12))).toEqual(vector);
});
