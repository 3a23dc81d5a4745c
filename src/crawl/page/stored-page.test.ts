import { expect, test } from 'vitest';
import { sha256Hex } from '../../core/model/hash.ts';
import { contentHashOf } from './stored-page.ts';

test.each(['', 'plain', 'größer 漢字 🎉', 'half a \ud83c character'])('the hash of %j is that of core', (text) => {
  expect(contentHashOf(text)).toBe(sha256Hex(text));
});
