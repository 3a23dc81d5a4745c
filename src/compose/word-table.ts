// The word table of this thread, loaded with its first use.

import { parseWordTable, type WordTable } from '../core/vector/word-vectors.ts';
import { readWordTableFile } from '../platform/word-table-file.ts';

let loaded: WordTable | null | undefined;

/** Null if the program was packaged without it: search then ranks by words alone. */
export function getWordTable(): WordTable | null {
  if (loaded === undefined) {
    const bytes = readWordTableFile();
    loaded = bytes === null ? null : parseWordTable(bytes);
  }
  return loaded;
}
