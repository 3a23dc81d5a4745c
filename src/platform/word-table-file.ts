// The table of word vectors that ships with the program. core/vector parses it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Next to the module that parses it, in the sources and in the built program. Null if a packager left it out. */
export function readWordTableFile(): Uint8Array | null {
  try {
    return readFileSync(join(import.meta.dirname, '..', 'core', 'vector', 'word-vectors.bin'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
