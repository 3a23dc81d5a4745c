import { expect, test } from 'vitest';
import { indexFingerprint } from './index-fingerprint.ts';

test('the fingerprint of the current tokenizer and weights stays what stored indexes carry', () => {
  expect(indexFingerprint).toBe('ecf79a63566b');
});
