// Document frequencies from a sample of pages: how many of its chunks contain each term. The weights of a query need the share of the
// chunks that contain a term, and a share that is a few percent off changes only which of the last candidates are reranked.

import type { IndexedTerm } from '../../core/lexical/query/index-query.ts';
import { createSegmentBuilder } from '../../core/lexical/segment/segment-builder.ts';
import type { IndexedPage, PackedSample } from '../../ports/point-records.ts';
import { firstTermFrom } from '../../core/lexical/segment/first-term-from.ts';

export interface TermSample {
  readonly chunks: number;
  /** How many of the chunks contain the term. */
  frequencyOf(term: string): number;
  withPrefix(prefix: string, length: { readonly min: number; readonly max: number }): readonly IndexedTerm[];
}

export interface SamplePacker {
  readonly chunks: number;
  addPage(page: Pick<IndexedPage, 'path' | 'title' | 'chunks'>): void;
  pack(): PackedSample;
}

export function createSamplePacker(): SamplePacker {
  const builder = createSegmentBuilder();
  return {
    get chunks() {
      return builder.chunks;
    },
    addPage: ({ path, title, chunks }) => builder.addPage(chunks.map((chunk) => ({ path, title, chunk }))),
    pack() {
      const lines: string[] = [];
      for (const { term, count } of builder.terms()) lines.push(`${term}\t${count}`);
      return { chunks: builder.chunks, terms: new TextEncoder().encode(lines.join('\n')) };
    },
  };
}

export function openSample({ chunks, terms: bytes }: PackedSample): TermSample {
  const lines = bytes.length === 0 ? [] : new TextDecoder().decode(bytes).split('\n');
  const terms = lines.map((line) => line.slice(0, line.indexOf('\t')));
  const counts = Uint32Array.from(lines, (line) => Number(line.slice(line.indexOf('\t') + 1)));
  return {
    chunks,
    frequencyOf(term) {
      const at = firstTermFrom(terms, term);
      return terms[at] === term ? (counts[at] ?? 0) : 0;
    },
    withPrefix(prefix, { min, max }) {
      const found: IndexedTerm[] = [];
      for (let at = firstTermFrom(terms, prefix); terms[at]?.startsWith(prefix) === true; at += 1) {
        const term = terms[at] ?? '';
        if (term.length >= min && term.length <= max) found.push({ term, docFrequency: counts[at] ?? 0 });
      }
      return found;
    },
  };
}
