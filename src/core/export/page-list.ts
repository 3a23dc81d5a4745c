// The pages of a bundle, packed: a large source has tens of thousands of chunks, and as objects their facts would take
// several times the memory of their bytes.

import type { BundlePage, PageList } from './bundle/bundle.ts';

export interface PageListWriter extends PageList {
  add(page: BundlePage): void;
}

export function createPageList(): PageListWriter {
  const packed: Uint8Array[] = [];
  return {
    get size() {
      return packed.length;
    },
    add(page) {
      packed.push(new TextEncoder().encode(JSON.stringify(page)));
    },
    *[Symbol.iterator]() {
      for (const bytes of packed) yield JSON.parse(new TextDecoder().decode(bytes)) as BundlePage;
    },
  };
}
