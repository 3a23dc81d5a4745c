// Builds a segment: the terms of some pages with their postings. Chunks are numbered from 0 in the order they are added;
// the chunks of a page are consecutive.

import { createByteSlicePool } from './byte-slice-pool.ts';
import { defaultWeights, fieldNames, fieldTexts, type IndexableEntry, type LexicalWeights } from './fields.ts';
import { impactOf, impactScale } from './impact.ts';
import { createTermCounter, type TermCounter } from './term-counter.ts';
import { growArray } from '../tokenize/grow-array.ts';

export interface SegmentTerm {
  readonly term: string;
  /** Chunks that contain it. */
  readonly count: number;
  readonly bytes: Uint8Array;
}

export interface SegmentBuilder {
  /** Adds the chunks of one page, in page order. */
  addPage(entries: readonly IndexableEntry[]): void;
  readonly chunks: number;
  /** Number of chunks of each page, in the order they were added. */
  readonly pageSizes: readonly number[];
  /** Sorted by code units, and generated lazily. */
  terms(): Iterable<SegmentTerm>;
}

export interface SegmentBuilderOptions {
  readonly weights?: LexicalWeights;
  /** Shares interned terms across builders, used one after the other. */
  readonly counter?: TermCounter;
}

/** The record of a term in one flat array. */
const FIELDS = 2;
const NEXT = 0;
const COUNT = 1;

export function createSegmentBuilder({
  weights = defaultWeights,
  counter,
}: SegmentBuilderOptions = {}): SegmentBuilder {
  const scale = impactScale(weights);
  const termCounter = counter ?? createTermCounter();
  termCounter.trim();
  const pool = createByteSlicePool();
  const seen: number[] = [];
  let records = new Uint32Array(4096 * FIELDS);
  const pageSizes: number[] = [];
  const lengths = new Uint32Array(fieldNames.length);
  let chunks = 0;

  function addPosting(termId: number, impact: number): void {
    const at = termId * FIELDS;
    while (at >= records.length) records = growArray(records);
    const count = records[at + COUNT] ?? 0;
    if (count === 0) seen.push(termId);
    pool.writeVarint(termId, chunks - (records[at + NEXT] ?? 0));
    pool.write(termId, impact);
    records[at + NEXT] = chunks + 1;
    records[at + COUNT] = count + 1;
  }

  function addChunk(entry: IndexableEntry): void {
    const texts = fieldTexts(entry);
    for (const [field, name] of fieldNames.entries()) lengths[field] = termCounter.add(texts[name], field);
    termCounter.drain((termId, counts) => addPosting(termId, impactOf(scale, counts, lengths)));
    chunks += 1;
  }

  function termOf(termId: number): SegmentTerm {
    const next = pool.reader(termId);
    const bytes = new Uint8Array(pool.size(termId));
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = next();
    return { term: termCounter.terms[termId] ?? '', count: records[termId * FIELDS + COUNT] ?? 0, bytes };
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
    *terms() {
      const { terms } = termCounter;
      seen.sort((left, right) => ((terms[left] ?? '') < (terms[right] ?? '') ? -1 : 1));
      for (const termId of seen) yield termOf(termId);
    },
  };
}
