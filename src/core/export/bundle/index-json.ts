// The index of a bundle, `index.json`: the terms of its chunks with their counts per field, from which the impacts of a segment
// are computed. The same chunks give the same bytes. Numbers are base64-encoded varints; decimal lists would be four times as long.

import { z } from 'zod';
import { compareChunks } from '../../chunk/chunk-names.ts';
import { createByteSlicePool } from '../../lexical/segment/byte-slice-pool.ts';
import { defaultWeights, fieldNames, fieldTexts, type IndexEntry } from '../../lexical/segment/fields.ts';
import { impactOf, impactScale } from '../../lexical/segment/impact.ts';
import { packSegment, type MemorySegment } from '../../lexical/segment/memory-index.ts';
import { createPostingWriter } from '../../lexical/segment/postings.ts';
import type { SegmentTerm } from '../../lexical/segment/segment-builder.ts';
import { createTermCounter } from '../../lexical/segment/term-counter.ts';
import { growArray } from '../../lexical/tokenize/grow-array.ts';
import { tokenizerVersion } from '../../lexical/tokenize/tokenize.ts';
import { pinakesError } from '../../model/errors.ts';
import type { ExportedPage } from './bundle.ts';
import { createVarintWriter, readVarints, writeVarints } from './varint-base64.ts';

const FIELDS = fieldNames.length;

const IndexJson = z.object({
  kind: z.literal('pinakes-index'),
  format: z.literal(1),
  tokenizer: z.int(),
  /** Chunk ids, in the order of `compareChunks`; the postings refer to them by number. */
  chunks: z.array(z.string()),
  /** Tokens of each chunk in each field. */
  lengths: z.string(),
  terms: z.array(z.string()),
  /** Number of postings of each term. */
  sizes: z.string(),
  /** Gaps between the chunk numbers of a term, the first from 0, term by term. */
  steps: z.string(),
  /** Counts of each posting per field, packed by `packCounts`. */
  counts: z.string(),
});

export interface IndexJsonBuilder {
  /** Entries must be in the order of `compareChunks`. Their texts are not retained. */
  add(entry: IndexEntry): void;
  /** The file, in parts. */
  parts(): Generator<string>;
}

/** The record of a term in one flat array. */
const RECORD = 2;
const LAST = 0;
const SIZE = 1;

export function createIndexJsonBuilder(): IndexJsonBuilder {
  const counter = createTermCounter();
  // A posting is two varints, the gap to the previous chunk and the packed counts: three bytes on average.
  const pool = createByteSlicePool();
  const ids: string[] = [];
  let records = new Uint32Array(1024 * RECORD);
  let lengths = new Uint32Array(1024 * FIELDS);

  function addPosting(term: number, packed: number): void {
    const at = term * RECORD;
    while (at >= records.length) records = growArray(records);
    pool.writeVarint(term, ids.length - (records[at + LAST] ?? 0));
    pool.writeVarint(term, packed);
    records[at + LAST] = ids.length;
    records[at + SIZE] = sizeOf(term) + 1;
  }

  const sizeOf = (term: number): number => records[term * RECORD + SIZE] ?? 0;

  /** One of the two numbers of each posting: 0 for the gaps, 1 for the counts. */
  function* column(terms: Uint32Array, nth: 0 | 1): Generator<string> {
    const writer = createVarintWriter();
    for (const term of terms) {
      const next = varintsOf(pool.reader(term));
      for (let left = sizeOf(term); left > 0; left -= 1) {
        const step = next();
        const packed = next();
        writer.add(nth === 0 ? step : packed);
      }
      if (writer.pendingBytes() >= BATCH_BYTES) yield writer.flush();
    }
    yield writer.end();
  }

  return {
    add(entry) {
      const at = ids.length * FIELDS;
      if (at >= lengths.length) lengths = growArray(lengths);
      const texts = fieldTexts(entry);
      for (const [field, name] of fieldNames.entries()) lengths[at + field] = counter.add(texts[name], field);
      counter.drain((term, counts) => addPosting(term, packCounts(counts)));
      ids.push(entry.chunk.id);
    },
    *parts() {
      const { terms } = counter;
      const sorted = Uint32Array.from(terms.keys()).sort((a, b) => ((terms[a] ?? '') < (terms[b] ?? '') ? -1 : 1));
      yield `{"kind":"pinakes-index","format":1,"tokenizer":${tokenizerVersion},"chunks":[`;
      yield* stringBatches(ids.length, (at) => ids[at] ?? '');
      yield `],"lengths":"${writeVarints(lengths.subarray(0, ids.length * FIELDS))}","terms":[`;
      yield* stringBatches(sorted.length, (at) => terms[sorted[at] ?? 0] ?? '');
      yield `],"sizes":"${writeVarints(sorted.map(sizeOf))}","steps":"`;
      yield* column(sorted, 0);
      yield '","counts":"';
      yield* column(sorted, 1);
      yield '"}\n';
    },
  };
}

const BATCH_STRINGS = 1000;
const BATCH_BYTES = 49_152;

function* stringBatches(count: number, stringAt: (at: number) => string): Generator<string> {
  for (let at = 0; at < count; at += BATCH_STRINGS) {
    const length = Math.min(BATCH_STRINGS, count - at);
    const batch = JSON.stringify(Array.from({ length }, (_, nth) => stringAt(at + nth))).slice(1, -1);
    yield at === 0 ? batch : `,${batch}`;
  }
}

function varintsOf(nextByte: () => number): () => number {
  return () => {
    let number = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = nextByte();
      number += (byte & 127) * 2 ** shift;
      if (byte < 128) return number;
    }
  };
}

/** Body counts have 16 bits, the others 4: a title that repeats a word 15 times gains nothing from a 16th. */
const FIELD_BITS: readonly number[] = [16, 20, 24, 28, 0];
const FIELD_MAX: readonly number[] = [15, 15, 15, 15, 0xffff];

/** Packs the counts of a term per field. */
export function packCounts(counts: ArrayLike<number>): number {
  let packed = 0;
  for (let field = 0; field < FIELDS; field += 1) {
    packed += Math.min(counts[field] ?? 0, FIELD_MAX[field] ?? 0) * 2 ** (FIELD_BITS[field] ?? 0);
  }
  return packed;
}

export function unpackCounts(packed: number): number[] {
  return FIELD_BITS.map((bits, field) => (packed >>> bits) & (FIELD_MAX[field] ?? 0));
}

/** The file for chunks in any order. */
export function indexToJson(entries: readonly IndexEntry[]): string {
  const builder = createIndexJsonBuilder();
  for (const entry of [...entries].sort(compareChunks)) builder.add(entry);
  return [...builder.parts()].join('');
}

/** The segment of a bundle's pages, in the order given, without reading their texts. Throws if the file is of other pages. */
export function segmentFromJson(
  text: string,
  pages: ReadonlyArray<Pick<ExportedPage, 'path' | 'chunks'>>,
): MemorySegment {
  const json = IndexJson.parse(JSON.parse(text));
  const numbered = pages.flatMap(({ path, chunks }) => chunks.map((chunk) => ({ path, chunk })));
  const entries = numbered.map((entry, number) => ({ ...entry, number })).sort(compareChunks);
  const isSame =
    json.chunks.length === entries.length && entries.every(({ chunk }, at) => chunk.id === json.chunks[at]);
  if (!isSame || json.tokenizer !== tokenizerVersion) {
    throw pinakesError('input.invalid', { why: 'The index was built from different chunks or by another version' });
  }
  const columns = {
    lengths: readVarints(json.lengths),
    sizes: readVarints(json.sizes),
    steps: readVarints(json.steps),
    counts: readVarints(json.counts),
  };
  const { lengths, sizes, steps, counts } = columns;
  const postings = sizes.reduce((total, size) => total + size, 0);
  const isWhole =
    lengths.length === entries.length * FIELDS &&
    sizes.length === json.terms.length &&
    steps.length === postings &&
    counts.length === postings;
  if (!isWhole) throw truncated();
  const numbers = Uint32Array.from(entries, ({ number }) => number);
  return packSegment(
    pages.map(({ chunks }) => chunks.length),
    segmentTerms(json.terms, columns, numbers),
  );
}

function truncated(): Error {
  return pinakesError('input.invalid', { why: 'The index is truncated' });
}

type Columns = Readonly<Record<'lengths' | 'sizes' | 'steps' | 'counts', Uint32Array>>;

/** `numbers` are the chunk numbers of the segment, in the order of the file: chunks of the same lines are in another order there. */
function* segmentTerms(
  terms: readonly string[],
  { lengths, sizes, steps, counts }: Columns,
  numbers: Uint32Array,
): Generator<SegmentTerm> {
  const scale = impactScale(defaultWeights);
  const writer = createPostingWriter();
  let from = 0;
  for (const [at, term] of terms.entries()) {
    let entry = 0;
    // Chunk number and impact in one integer, so that sorting by chunk is sorting numbers.
    const postings = Float64Array.from({ length: sizes[at] ?? 0 }, (_, nth) => {
      const step = steps[from + nth] ?? 0;
      entry += step;
      if (entry >= numbers.length || (step === 0 && nth > 0)) throw truncated();
      const ofEntry = lengths.subarray(entry * FIELDS, (entry + 1) * FIELDS);
      const impact = impactOf(scale, unpackCounts(counts[from + nth] ?? 0), ofEntry);
      return (numbers[entry] ?? 0) * 256 + impact;
    }).sort();
    for (const posting of postings) writer.add(Math.floor(posting / 256), posting % 256);
    from += postings.length;
    yield { term, ...writer.flush() };
  }
}
