// Caches vectors in a file, by the hash of their text, so that a corpus is embedded once and measured many times.

import { hash } from 'node:crypto';
import { existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Embedder, EmbedOutcome } from '../../src/embed/port.ts';

const KEY_BYTES = 32;

/** The same embedder, reading texts that it has embedded before from the file. */
export function withVectorCache(embedder: Embedder, file: string): Embedder {
  const cache = readCache(file, embedder.space.dimensions);
  const end = openSync(file, 'a');
  const save = (key: string, vector: Float32Array): void => {
    cache.set(key, vector);
    writeSync(
      end,
      Buffer.concat([Buffer.from(key, 'hex'), Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)]),
    );
  };
  return {
    ...embedder,
    async embed(texts, role, signal) {
      const keys = texts.map((text) => hash('sha256', text));
      const missing = texts.filter((_, at) => !cache.has(keys[at] ?? ''));
      const fresh = await embedder.embed(missing, role, signal);
      fresh.forEach((outcome, at) => {
        if (outcome.kind === 'embedded') save(hash('sha256', missing[at] ?? ''), outcome.vector);
      });
      return keys.map((key): EmbedOutcome => {
        const vector = cache.get(key);
        return vector === undefined
          ? { kind: 'refused', reason: 'the model refused it' }
          : { kind: 'embedded', vector };
      });
    },
  };
}

function readCache(file: string, dimensions: number): Map<string, Float32Array> {
  const cache = new Map<string, Float32Array>();
  if (!existsSync(file)) return cache;
  const bytes = readFileSync(file);
  const size = KEY_BYTES + dimensions * 4;
  for (let at = 0; at + size <= bytes.length; at += size) {
    const vector = Uint8Array.from(bytes.subarray(at + KEY_BYTES, at + size));
    cache.set(bytes.toString('hex', at, at + KEY_BYTES), new Float32Array(vector.buffer));
  }
  return cache;
}

/** Returns a lookup for texts that were embedded before. */
export function loadVectorCache(file: string, dimensions: number): (text: string) => Float32Array {
  const cache = readCache(file, dimensions);
  return (text) => {
    const vector = cache.get(hash('sha256', text));
    if (vector === undefined) throw new Error('the text is not in the vector cache');
    return vector;
  };
}
