// The index as a file, `index.json`: the same bytes for the same chunks, whatever order they came in. Numbers are written
// as base64 of variable-length integers: a list of decimal numbers would be four times as long.

import { pinakesError } from '../../model/errors.ts';
import { z } from 'zod';
import { compareChunks } from '../../chunk/chunk-names.ts';
import { fieldCount, type IndexEntry, type LexicalIndex } from './lexical-index.ts';
import { tokenizerVersion } from '../tokenize/tokenize.ts';
import { termsInOrder, type IndexDraft } from './index-builder.ts';
import { createNumberWriter, readNumbers, writeNumbers } from './varint-base64.ts';

const IndexJson = z.object({
  kind: z.literal('pinakes-index'),
  format: z.literal(1),
  tokenizer: z.int(),
  /** Ids of the chunks, in the order that the postings count them. */
  chunks: z.array(z.string()),
  lengths: z.string(),
  terms: z.array(z.string()),
  /** Postings of each term. */
  sizes: z.string(),
  /** Steps from one entry number to the next, term by term. */
  steps: z.string(),
  counts: z.string(),
});

export function indexToJson(index: LexicalIndex): string {
  const terms = [...index.terms.keys()];
  const sizes = terms.map((_, term) => (index.offsets[term + 1] ?? 0) - (index.offsets[term] ?? 0));
  return written({
    chunks: index.entries.map(({ chunk }) => chunk.id),
    lengths: writeNumbers(index.lengths),
    terms,
    sizes: writeNumbers(sizes),
    steps: writeNumbers(toSteps(index)),
    counts: writeNumbers(index.counts),
  });
}

/** The same text from a draft, piece by piece. `chunks` are the ids of its entries, in their order. */
export function* draftToJson(draft: IndexDraft, chunks: readonly string[]): Generator<string> {
  const numbers = termsInOrder(draft);
  yield `${JSON.stringify(HEAD).slice(0, -1)},"chunks":[`;
  yield* stringPieces(chunks.length, (at) => chunks[at] ?? '');
  yield `],"lengths":"${writeNumbers(draft.lengths())}","terms":[`;
  yield* stringPieces(numbers.length, (at) => draft.words[numbers[at] ?? 0] ?? '');
  yield `],"sizes":"${writeNumbers(numbers.map((term) => draft.pool.size(term)))}","steps":"`;
  yield* numberPieces(numbers, (term, add) => draft.pool.read(term, (step) => add(step)));
  yield '","counts":"';
  yield* numberPieces(numbers, (term, add) => draft.pool.read(term, (_, packed) => add(packed)));
  yield '"}\n';
}

const PIECE_STRINGS = 1000;

function* stringPieces(count: number, stringAt: (at: number) => string): Generator<string> {
  for (let at = 0; at < count; at += PIECE_STRINGS) {
    const length = Math.min(PIECE_STRINGS, count - at);
    const piece = JSON.stringify(Array.from({ length }, (_, nth) => stringAt(at + nth))).slice(1, -1);
    yield at === 0 ? piece : `,${piece}`;
  }
}

const PIECE_BYTES = 49_152;

function* numberPieces(
  terms: Uint32Array,
  read: (term: number, add: (number: number) => void) => void,
): Generator<string> {
  const writer = createNumberWriter();
  for (const term of terms) {
    read(term, (number) => writer.add(number));
    if (writer.waiting() >= PIECE_BYTES) yield writer.take();
  }
  yield writer.end();
}

const HEAD = { kind: 'pinakes-index', format: 1, tokenizer: tokenizerVersion } as const;

function written(parts: Omit<z.infer<typeof IndexJson>, keyof typeof HEAD>): string {
  const json: z.infer<typeof IndexJson> = { ...HEAD, ...parts };
  return `${JSON.stringify(json)}\n`;
}

/** The chunks themselves are kept elsewhere and given here, in any order. */
export function indexFromJson(text: string, chunks: readonly IndexEntry[]): LexicalIndex {
  const json = IndexJson.parse(JSON.parse(text));
  const entries = [...chunks].sort(compareChunks);
  const isSame =
    json.chunks.length === entries.length && entries.every(({ chunk }, at) => chunk.id === json.chunks[at]);
  if (!isSame || json.tokenizer !== tokenizerVersion) {
    throw pinakesError('input.invalid', { why: 'The index was made from other chunks or by another version' });
  }
  const lengths = readNumbers(json.lengths);
  const sizes = readNumbers(json.sizes);
  const steps = readNumbers(json.steps);
  const counts = readNumbers(json.counts);
  const offsets = new Uint32Array(json.terms.length + 1);
  for (let term = 0; term < json.terms.length; term += 1) offsets[term + 1] = (offsets[term] ?? 0) + (sizes[term] ?? 0);
  const postings = fromSteps(steps, offsets);
  const isWhole =
    lengths.length === entries.length * fieldCount &&
    steps.length === offsets[json.terms.length] &&
    counts.length === steps.length &&
    postings.every((entry) => entry < entries.length);
  if (!isWhole) throw pinakesError('input.invalid', { why: 'The index is not whole' });
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
