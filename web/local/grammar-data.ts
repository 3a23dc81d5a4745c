// The grammars travel inside the page, packed: nothing is fetched.

import { inflateSync } from 'fflate';
import type { GrammarFiles } from '../../src/core/chunk/code/grammar-loader.ts';

/** Base64 of deflated bytes, by file name; `runtime` is the parser itself. */
export type GrammarData = Readonly<Record<string, string>>;

export function grammarsOf(data: GrammarData): GrammarFiles {
  return {
    runtime: async () => unpacked(data['runtime'] ?? ''),
    grammar: async (file) => (data[file] === undefined ? null : unpacked(data[file])),
  };
}

function unpacked(base64: string): Uint8Array {
  return inflateSync(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
}
