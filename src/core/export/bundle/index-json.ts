// index.json: the whole bundle in one object, with an inverted index over its chunks. Keys are sorted and nothing is indented, so the
// same chunks give the same bytes. It is written in parts: the texts come from the caller one by one, and the postings are packed.

import { z } from 'zod';
import { chunkRef, shortChunkId } from '../../chunk/chunk-names.ts';
import { createByteSlicePool } from '../../lexical/segment/byte-slice-pool.ts';
import { fieldNames, fieldTexts, type IndexableEntry } from '../../lexical/segment/fields.ts';
import { createTermCounter } from '../../lexical/segment/term-counter.ts';
import { growArray } from '../../lexical/tokenize/grow-array.ts';
import { FILE_KINDS } from '../../files/file-kind.ts';
import { lastLine, type Bundle, type BundleChunk, type BundlePage } from './bundle.ts';
import { compareText } from '../../text/compare-text.ts';

const INDEX_VERSION = 1;

const IndexFile = z.object({
  kind: z.enum(FILE_KINDS),
  lines: z.int(),
  path: z.string(),
  sha256: z.string(),
  title: z.string(),
});

const IndexChunk = z.object({
  address: z.string().nullable(),
  asset_path: z.string().nullable(),
  chunk_index: z.int(),
  content: z.string(),
  content_hash: z.string(),
  end_line: z.int(),
  heading_path: z.array(z.string()),
  id: z.string(),
  kind: z.enum(FILE_KINDS),
  path: z.string(),
  short_id: z.string(),
  slug: z.string(),
  start_line: z.int(),
  symbol: z.string().nullable(),
  token_estimate: z.int(),
});

const Posting = z.object({ doc_len: z.int(), ref: z.string(), tf: z.int() });

export const IndexJson = z.object({
  chunk_refs: z.record(z.string(), z.string()),
  chunks: z.array(IndexChunk),
  files: z.array(IndexFile),
  index_id: z.string(),
  inverted_index: z.record(z.string(), z.array(Posting)),
  stats: z.object({
    avg_chunk_chars: z.number(),
    avg_chunk_tokens: z.number(),
    total_chunks: z.int(),
    total_files: z.int(),
    total_tokens: z.int(),
  }),
  version: z.literal(INDEX_VERSION),
  warnings: z.array(z.object({ message: z.string(), path: z.string() })),
});
export type IndexJson = z.output<typeof IndexJson>;

/** Throws if the text is not such a file. An import never reads it. */
export function readIndexJson(text: string): IndexJson {
  return IndexJson.parse(JSON.parse(text));
}

/** In place of a text: the caller has the texts. */
export interface ContentOf {
  readonly page: BundlePage;
  readonly chunk: BundleChunk;
}

/** The file in parts. In place of `ContentOf` comes the text of that chunk, as JSON. */
export function* indexJson(bundle: Bundle): Generator<string | ContentOf> {
  yield '{"chunk_refs":{';
  yield* chunkRefs(bundle);
  yield '},"chunks":[';
  yield* chunkRecords(bundle);
  yield '],"files":';
  yield* jsonArray(filesOf(bundle));
  yield `,"index_id":"${bundle.indexId}","inverted_index":{`;
  yield* bundle.invertedIndex?.() ?? [];
  yield `},"stats":${JSON.stringify(statsOf(bundle))},"version":${INDEX_VERSION},"warnings":`;
  yield* jsonArray(warningsOf(bundle));
  yield '}\n';
}

/** Sorted by id; the ids of a large bundle are many, so they are kept as one array. */
function* chunkRefs({ pages }: Bundle): Generator<string> {
  const ids: string[] = [];
  for (const page of pages) for (const chunk of page.chunks) ids.push(`"${chunk.id}":"${chunk.ref}"`);
  ids.sort();
  for (let at = 0; at < ids.length; at += BATCH) yield (at === 0 ? '' : ',') + ids.slice(at, at + BATCH).join(',');
}

const BATCH = 1000;

function* chunkRecords({ pages }: Bundle): Generator<string | ContentOf> {
  let before = '';
  for (const page of pages) {
    for (const chunk of page.chunks) {
      const { address, asset_path, chunk_index, content_hash, ...rest } = recordOf(page, chunk);
      yield `${before}${JSON.stringify({ address, asset_path, chunk_index }).slice(0, -1)},"content":`;
      yield { page, chunk };
      yield `,${JSON.stringify({ content_hash, ...rest }).slice(1)}`;
      before = ',';
    }
  }
}

function recordOf(page: BundlePage, chunk: BundleChunk): Omit<z.input<typeof IndexChunk>, 'content'> {
  return {
    address: chunk.jsonPath,
    asset_path: page.assetPath,
    chunk_index: chunk.ordinal,
    content_hash: chunk.contentHash,
    end_line: chunk.lines.last,
    heading_path: [...chunk.headings],
    id: chunk.id,
    kind: page.kind,
    path: page.path,
    short_id: shortChunkId(chunk.id),
    slug: chunk.slug,
    start_line: chunk.lines.first,
    symbol: chunk.symbol,
    token_estimate: chunk.tokens,
  };
}

function* filesOf({ pages }: Bundle): Generator<z.input<typeof IndexFile>> {
  for (const page of pages) {
    const { kind, path, hash, title } = page;
    yield { kind, lines: lastLine(page), path, sha256: hash, title };
  }
}

/** Files that were truncated, and files that were left out. */
function warningsOf({ pages, leftOut }: Bundle): IndexJson['warnings'] {
  const warnings = leftOut.map(({ path, message }) => ({ message, path }));
  for (const { path, warnings: ofPage } of pages) for (const message of ofPage) warnings.push({ message, path });
  return warnings.sort((a, b) => compareText(a.path, b.path));
}

function statsOf({ pages, chunks, chars, tokens }: Bundle): IndexJson['stats'] {
  return {
    avg_chunk_chars: chunks === 0 ? 0 : chars / chunks,
    avg_chunk_tokens: chunks === 0 ? 0 : tokens / chunks,
    total_chunks: chunks,
    total_files: pages.size,
    total_tokens: tokens,
  };
}

function* jsonArray(items: Iterable<unknown>): Generator<string> {
  let before = '[';
  for (const item of items) {
    yield before + JSON.stringify(item);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

export interface InvertedIndex {
  /** Entries must be in the order of their refs. Their texts are not retained. */
  add(entry: IndexableEntry): void;
  /** The members of the object, without its braces. */
  parts(): Generator<string>;
}

/** The record of a term in one flat array: the number of its last chunk, and how many chunks have it. */
const RECORD = 2;

/** A term counts in the text, title, headings, symbol and path of a chunk; `doc_len` is the number of terms of all of them. */
export function createInvertedIndex(): InvertedIndex {
  const counter = createTermCounter();
  // A posting is two varints, the gap to the previous chunk and the count: two bytes on average.
  const pool = createByteSlicePool();
  let records = new Uint32Array(1024 * RECORD);
  let lengths = new Uint32Array(1024);
  let chunks = 0;

  function addPosting(term: number, tf: number): void {
    const at = term * RECORD;
    while (at >= records.length) records = growArray(records);
    pool.writeVarint(term, chunks - (records[at] ?? 0));
    pool.writeVarint(term, tf);
    records[at] = chunks;
    records[at + 1] = (records[at + 1] ?? 0) + 1;
  }

  function postingsOf(term: number): string {
    const next = varintsOf(pool.reader(term));
    const postings: string[] = [];
    let chunk = 0;
    for (let left = records[term * RECORD + 1] ?? 0; left > 0; left -= 1) {
      chunk += next();
      postings.push(`{"doc_len":${lengths[chunk] ?? 0},"ref":"${chunkRef(chunk)}","tf":${next()}}`);
    }
    return postings.join(',');
  }

  return {
    add(entry) {
      if (chunks >= lengths.length) lengths = growArray(lengths);
      const texts = fieldTexts(entry);
      let length = 0;
      for (const [field, name] of fieldNames.entries()) length += counter.add(texts[name], field);
      counter.drain((term, counts) => addPosting(term, sum(counts)));
      lengths[chunks] = length;
      chunks += 1;
    },
    *parts() {
      const { terms } = counter;
      const sorted = Uint32Array.from(terms.keys()).sort((a, b) => ((terms[a] ?? '') < (terms[b] ?? '') ? -1 : 1));
      let before = '';
      for (const term of sorted) {
        yield `${before}${JSON.stringify(terms[term])}:[${postingsOf(term)}]`;
        before = ',';
      }
    },
  };
}

function sum(counts: Uint32Array): number {
  return counts.reduce((total, count) => total + count, 0);
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
