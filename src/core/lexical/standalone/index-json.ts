// Serializes the index of a bundle, `index.json`: the same bytes for the same chunks, in whatever order they are given.
// Numbers are base64-encoded varints; decimal lists would be four times as long.

import { pinakesError } from '../../model/errors.ts';
import { z } from 'zod';
import { compareChunks } from '../../chunk/chunk-names.ts';
import { fieldCount, type IndexEntry, type LexicalIndex } from './lexical-index.ts';
import { tokenizerVersion } from '../tokenize/tokenize.ts';
import { termsInOrder, type IndexBuilder } from './index-builder.ts';
import { createVarintWriter, readVarints, writeVarints } from './varint-base64.ts';

const IndexJson = z.object({
  kind: z.literal('pinakes-index'),
  format: z.literal(1),
  tokenizer: z.int(),
  /** Chunk ids, in the order that the postings refer to. */
  chunks: z.array(z.string()),
  lengths: z.string(),
  terms: z.array(z.string()),
  /** Number of postings of each term. */
  sizes: z.string(),
  /** Gaps between entry numbers, term by term. */
  steps: z.string(),
  counts: z.string(),
});

export function indexToJson(index: LexicalIndex): string {
  const terms = [...index.terms.keys()];
  const sizes = terms.map((_, term) => (index.offsets[term + 1] ?? 0) - (index.offsets[term] ?? 0));
  return serialize({
    chunks: index.entries.map(({ chunk }) => chunk.id),
    lengths: writeVarints(index.lengths),
    terms,
    sizes: writeVarints(sizes),
    steps: writeVarints(toSteps(index)),
    counts: writeVarints(index.counts),
  });
}

/** The same text as `indexToJson`, streamed from a builder. `chunks` are the ids of its entries, in order. */
export function* builderToJson(builder: IndexBuilder, chunks: readonly string[]): Generator<string> {
  const numbers = termsInOrder(builder);
  yield `${JSON.stringify(HEAD).slice(0, -1)},"chunks":[`;
  yield* stringBatches(chunks.length, (at) => chunks[at] ?? '');
  yield `],"lengths":"${writeVarints(builder.lengths())}","terms":[`;
  yield* stringBatches(numbers.length, (at) => builder.terms[numbers[at] ?? 0] ?? '');
  yield `],"sizes":"${writeVarints(numbers.map((term) => builder.pool.size(term)))}","steps":"`;
  yield* numberBatches(numbers, (term, add) => builder.pool.read(term, (step) => add(step)));
  yield '","counts":"';
  yield* numberBatches(numbers, (term, add) => builder.pool.read(term, (_, packed) => add(packed)));
  yield '"}\n';
}

const BATCH_STRINGS = 1000;

function* stringBatches(count: number, stringAt: (at: number) => string): Generator<string> {
  for (let at = 0; at < count; at += BATCH_STRINGS) {
    const length = Math.min(BATCH_STRINGS, count - at);
    const batch = JSON.stringify(Array.from({ length }, (_, nth) => stringAt(at + nth))).slice(1, -1);
    yield at === 0 ? batch : `,${batch}`;
  }
}

const BATCH_BYTES = 49_152;

function* numberBatches(
  terms: Uint32Array,
  read: (term: number, add: (number: number) => void) => void,
): Generator<string> {
  const writer = createVarintWriter();
  for (const term of terms) {
    read(term, (number) => writer.add(number));
    if (writer.pendingBytes() >= BATCH_BYTES) yield writer.flush();
  }
  yield writer.end();
}

const HEAD = { kind: 'pinakes-index', format: 1, tokenizer: tokenizerVersion } as const;

function serialize(parts: Omit<z.infer<typeof IndexJson>, keyof typeof HEAD>): string {
  const json: z.infer<typeof IndexJson> = { ...HEAD, ...parts };
  return `${JSON.stringify(json)}\n`;
}

/** The chunks are stored elsewhere and passed in, in any order. */
export function indexFromJson(text: string, chunks: readonly IndexEntry[]): LexicalIndex {
  const json = IndexJson.parse(JSON.parse(text));
  const entries = [...chunks].sort(compareChunks);
  const isSame =
    json.chunks.length === entries.length && entries.every(({ chunk }, at) => chunk.id === json.chunks[at]);
  if (!isSame || json.tokenizer !== tokenizerVersion) {
    throw pinakesError('input.invalid', { why: 'The index was built from different chunks or by another version' });
  }
  const lengths = readVarints(json.lengths);
  const sizes = readVarints(json.sizes);
  const steps = readVarints(json.steps);
  const counts = readVarints(json.counts);
  const offsets = new Uint32Array(json.terms.length + 1);
  for (let term = 0; term < json.terms.length; term += 1) offsets[term + 1] = (offsets[term] ?? 0) + (sizes[term] ?? 0);
  const postings = fromSteps(steps, offsets);
  const isWhole =
    lengths.length === entries.length * fieldCount &&
    steps.length === offsets[json.terms.length] &&
    counts.length === steps.length &&
    postings.every((entry) => entry < entries.length);
  if (!isWhole) throw pinakesError('input.invalid', { why: 'The index is truncated' });
  return { entries, terms: new Map(json.terms.map((term, at) => [term, at])), offsets, postings, counts, lengths };
}

function toSteps({ terms, offsets, postings }: LexicalIndex): Uint32Array {
  const steps = new Uint32Array(postings.length);
  for (let term = 0; term < terms.size; term += 1) {
    const from = offsets[term] ?? 0;
    for (let at = from; at < (offsets[term + 1] ?? 0); at += 1) {
      steps[at] = (postings[at] ?? 0) - (at === from ? 0 : (postings[at - 1] ?? 0));
    }
  }
  return steps;
}

function fromSteps(steps: Uint32Array, offsets: Uint32Array): Uint32Array {
  const postings = new Uint32Array(steps.length);
  for (let term = 0; term + 1 < offsets.length; term += 1) {
    let entry = 0;
    for (let at = offsets[term] ?? 0; at < (offsets[term + 1] ?? 0); at += 1) {
      entry += steps[at] ?? 0;
      postings[at] = entry;
    }
  }
  return postings;
}
