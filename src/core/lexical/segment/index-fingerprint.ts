// The fingerprint of what the index stores of a chunk: tokenizer, fields and their weights. A segment with another
// fingerprint was built by another version of the program; it is searched until its pages are reindexed.

import { sha256Hex } from '../../model/hash.ts';
import { tokenizerVersion } from '../tokenize/tokenize.ts';
import { defaultWeights, fieldNames } from './fields.ts';

const FINGERPRINT_CHARS = 12;

/** Stored indexes carry this hash, so its input keeps the keys it was first written with, also one that is a weight no more. */
function fingerprintInput(): string {
  const { fields, k1 } = defaultWeights;
  const hashedFields = fieldNames.map((name) => {
    const { weight, b, averageLength } = fields[name];
    return [name, { weight, lengthShare: b, usualLength: averageLength }] as const;
  });
  const hashed = { fields: Object.fromEntries(hashedFields), saturation: k1, stopWord: 0.4 };
  return JSON.stringify([tokenizerVersion, hashed]);
}

export const indexFingerprint: string = sha256Hex(fingerprintInput()).slice(0, FINGERPRINT_CHARS);
