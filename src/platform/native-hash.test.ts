import { expect, test } from 'vitest';
import { sha256Hex } from '../core/model/hash.ts';
import { useNativeHash } from './native-hash.ts';

test('the digits of the machine are those of the core', () => {
  const samples = ['', 'abc', 'é \u{1f600}', 'half \ud800', 'x'.repeat(5000), new Uint8Array([0, 255, 128])];
  const before = samples.map((sample) => sha256Hex(sample));
  useNativeHash();
  expect(samples.map((sample) => sha256Hex(sample))).toEqual(before);
});
