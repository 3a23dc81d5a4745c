// The identity of a library's content: equal ids, equal files. It does not depend on the order in which they came, nor on
// how they were cut.

import { sha256Hex, type Sha256 } from '../model/hash.ts';

export function indexIdOf(files: ReadonlyArray<{ readonly path: string; readonly hash: string }>): Sha256 {
  const lines = files.map(({ path, hash }) => `${path}\n${hash}\n`);
  return sha256Hex(lines.sort().join(''));
}
