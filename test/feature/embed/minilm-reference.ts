// Reference vectors of another implementation.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ReferenceVector {
  readonly text: string;
  readonly vector: Float32Array;
}

export function minilmReference(): readonly ReferenceVector[] {
  const file = join(import.meta.dirname, 'minilm-reference.json');
  const { references } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly references: ReadonlyArray<{ readonly text: string; readonly vector: string }>;
  };
  return references.map(({ text, vector }) => {
    const bytes = Uint8Array.from(Buffer.from(vector, 'base64'));
    return { text, vector: new Float32Array(bytes.buffer) };
  });
}

export function cosine(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, d) => sum + value * (right[d] ?? 0), 0);
}
