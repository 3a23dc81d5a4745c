// Builds a segment: the words of some pages, with their postings. Chunks are numbered from 0 in the order they are added;
// the chunks of a page stand together.

import { createByteChains } from './byte-slice-pool.ts';
import { defaultWeights, fieldNames, type LexicalWeights } from './fields.ts';
import { impactOf, impactScale } from './impact.ts';
import { fieldTexts, type WordedEntry } from '../standalone/lexical-index.ts';
import { createWordCounter, type WordCounter } from './term-counter.ts';
import { grownNumbers } from '../tokenize/grow-array.ts';

export interface SegmentTerm {
  readonly term: string;
  /** Chunks that have it. */
  readonly count: number;
  readonly bytes: Uint8Array;
}

export interface SegmentDraft {
  /** Adds the chunks of one page, in the order of the page. */
  addPage(entries: readonly WordedEntry[]): void;
  readonly chunks: number;
  /** Number of chunks of each page, in the order they were added. */
  readonly pageSizes: readonly number[];
  /** Terms in the order of their code units; each is made when it is asked for. */
  terms(): Iterable<SegmentTerm>;
}

export interface SegmentDraftOptions {
  readonly weights?: LexicalWeights;
  /** Makes a series of drafts cheaper: the words that it knows. It serves one draft at a time. */
  readonly counter?: WordCounter;
}

/** What is known of a term, side by side in one array. */
const FIELDS = 2;
const NEXT = 0;
const COUNT = 1;

export function createSegmentDraft({ weights = defaultWeights, counter }: SegmentDraftOptions = {}): SegmentDraft {
  const scale = impactScale(weights);
  const words = counter ?? createWordCounter();
  words.trim();
  const chains = createByteChains();
  const met: number[] = [];
  let known = new Uint32Array(4096 * FIELDS);
  const pageSizes: number[] = [];
  const lengths = new Uint32Array(fieldNames.length);
  let chunks = 0;

  function addPosting(word: number, impact: number): void {
    const at = word * FIELDS;
    while (at >= known.length) known = grownNumbers(known);
    const count = known[at + COUNT] ?? 0;
    if (count === 0) met.push(word);
    chains.writeNumber(word, chunks - (known[at + NEXT] ?? 0));
    chains.write(word, impact);
    known[at + NEXT] = chunks + 1;
    known[at + COUNT] = count + 1;
  }

  function addChunk(entry: WordedEntry): void {
    const texts = fieldTexts(entry);
    for (const [field, name] of fieldNames.entries()) lengths[field] = words.add(texts[name], field);
    words.take((word, counts) => addPosting(word, impactOf(scale, counts, lengths)));
    chunks += 1;
  }

  function termOf(word: number): SegmentTerm {
    const next = chains.reader(word);
    const bytes = new Uint8Array(chains.size(word));
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = next();
    return { term: words.words[word] ?? '', count: known[word * FIELDS + COUNT] ?? 0, bytes };
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
      const { words: names } = words;
      met.sort((left, right) => ((names[left] ?? '') < (names[right] ?? '') ? -1 : 1));
      for (const word of met) yield termOf(word);
    },
  };
}
