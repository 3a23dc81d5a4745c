// The table of word vectors that ships with the program. core/vector parses it.

import { readFileSync } from 'node:fs';
import { packagePath } from './package-path.ts';

/** Next to the module that parses it. Null if a packager left it out. */
export function readWordTableFile(): Uint8Array | null {
  const path = packagePath('core/vector/word-vectors.bin');
  return path === null ? null : readFileSync(path);
}
