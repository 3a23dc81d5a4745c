// Builds a segment: the words of some pages, with their postings. Chunks are numbered from 0 in the order they are added;
// the chunks of a page stand together.

import { defaultWeights, fieldNames, type LexicalWeights } from './fields.ts';
import { impactOf, impactScale } from './impact.ts';
import { fieldTexts, type IndexEntry } from './lexical-index.ts';
import { createPostingWriter, type PostingWriter } from './postings.ts';
import { eachToken } from './tokenize.ts';

export interface SegmentDraft {
  /** Adds the chunks of one page, in the order of the page. */
  addPage(entries: readonly IndexEntry[]): void;
  readonly chunks: number;
  /** Number of chunks of each page, in the order they were added. */
  readonly pageSizes: readonly number[];
  /** Terms in the order of their code units. */
  terms(): Array<{ readonly term: string; readonly count: number; readonly bytes: Uint8Array }>;
}

const FIELDS = fieldNames.length;

export function createSegmentDraft(weights: LexicalWeights = defaultWeights): SegmentDraft {
  const scale = impactScale(weights);
  const writers = new Map<string, PostingWriter>();
  const pageSizes: number[] = [];
  let chunks = 0;

  function addChunk(entry: IndexEntry): void {
    const { counts, lengths } = countWords(entry);
    for (const [token, of] of counts) {
      let writer = writers.get(token);
      if (writer === undefined) {
        writer = createPostingWriter();
        // A piece of a text keeps the whole text in memory; a copy of the piece does not.
        writers.set(` ${token}`.slice(1), writer);
      }
      writer.add(chunks, impactOf(scale, of, lengths));
    }
    chunks += 1;
  }

  return {
    get chunks() {
      return chunks;
    },
    pageSizes,
    addPage(entries) {
      for (const entry of entries) addChunk(entry);
      pageSizes.push(entries.length);
    },
    terms: () =>
      [...writers.entries()]
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([term, writer]) => ({ term, count: writer.count, bytes: writer.bytes() })),
  };
}

/** Counts by field of every word of a chunk, and the lengths of its fields. */
function countWords(entry: IndexEntry): { counts: Map<string, number[]>; lengths: number[] } {
  const counts = new Map<string, number[]>();
  const texts = fieldTexts(entry);
  const lengths = fieldNames.map((name, field) => {
    let length = 0;
    eachToken(texts[name], (token) => {
      length += 1;
      let of = counts.get(token);
      if (of === undefined) {
        of = Array.from({ length: FIELDS }, () => 0);
        counts.set(token, of);
      }
      of[field] = (of[field] ?? 0) + 1;
    });
    return length;
  });
  return { counts, lengths };
}
