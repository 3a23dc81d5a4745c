// Vectors in a file, by the hash of their text, so that a corpus is embedded once and measured many times.

import { hash } from 'node:crypto';
import { existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Embedder, EmbedOutcome } from '../../src/embed/port.ts';

const KEY_BYTES = 32;

/** The same embedder; what it has embedded before is read from the file instead. */
export function withKeptVectors(embedder: Embedder, file: string): Embedder {
  const kept = readKept(file, embedder.space.dimensions);
  const end = openSync(file, 'a');
  const keep = (key: string, vector: Float32Array): void => {
    kept.set(key, vector);
    writeSync(
      end,
      Buffer.concat([Buffer.from(key, 'hex'), Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)]),
    );
  };
  return {
    ...embedder,
    async embed(texts, role, signal) {
      const keys = texts.map((text) => hash('sha256', text));
      const missing = texts.filter((_, at) => !kept.has(keys[at] ?? ''));
      const fresh = await embedder.embed(missing, role, signal);
      fresh.forEach((outcome, at) => {
        if (outcome.kind === 'embedded') keep(hash('sha256', missing[at] ?? ''), outcome.vector);
      });
      return keys.map((key): EmbedOutcome => {
        const vector = kept.get(key);
        return vector === undefined
          ? { kind: 'refused', reason: 'the model refused it' }
          : { kind: 'embedded', vector };
      });
    },
  };
}

function readKept(file: string, dimensions: number): Map<string, Float32Array> {
  const kept = new Map<string, Float32Array>();
  if (!existsSync(file)) return kept;
  const bytes = readFileSync(file);
  const size = KEY_BYTES + dimensions * 4;
  for (let at = 0; at + size <= bytes.length; at += size) {
    const vector = Uint8Array.from(bytes.subarray(at + KEY_BYTES, at + size));
    kept.set(bytes.toString('hex', at, at + KEY_BYTES), new Float32Array(vector.buffer));
  }
  return kept;
}

/** Looks up the vector of a text that was embedded before. */
export function keptVectorOf(file: string, dimensions: number): (text: string) => Float32Array {
  const kept = readKept(file, dimensions);
  return (text) => {
    const vector = kept.get(hash('sha256', text));
    if (vector === undefined) throw new Error('the text was not embedded before');
    return vector;
  };
}
