// node bench/search/hybrid-quality.ts FOLDER VECTORS: nDCG@10 of lexical, vector and hybrid search on a retrieval set in BEIR's
// layout, with the shipped weights. Vectors are cached in the file VECTORS. The set is not part of this repository.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildIndex } from '../../src/core/lexical/standalone/build-index.ts';
import type { IndexEntry } from '../../src/core/lexical/standalone/lexical-index.ts';
import { searchIndex } from '../../src/core/lexical/standalone/search-index.ts';
import { chunkId, estimateTokens } from '../../src/core/model/chunk.ts';
import { sha256Hex } from '../../src/core/model/hash.ts';
import { fuse } from '../../src/search/fuse-results.ts';
import { fusionWeights } from '../../src/core/rank/fusion-weights.table.ts';
import { passageText } from '../../src/core/vector/passage-text.ts';
import { cosineSimilarity } from '../../src/core/vector/cosine-similarity.ts';
import { createOnnxEmbedder } from '../../src/embed/onnx-embedder.ts';
import { minilmFolder } from '../../test/support/minilm-folder.ts';
import { ndcg, readBeir } from './read-beir.ts';
import { withVectorCache } from '../support/vector-cache.ts';
import { writeResult } from '../support/write-result.ts';

const [, , folder, file] = process.argv;
if (folder === undefined || file === undefined)
  throw new Error('usage: node bench/search/hybrid-quality.ts FOLDER VECTORS');
const set = readBeir(folder);
const CANDIDATES = 100;
const BATCH_SIZE = 64;

const entries = set.documents.map(({ id, title, text }): IndexEntry => {
  const contentHash = sha256Hex(text);
  const position = { anchor: null, symbol: null, jsonPath: null, lines: { first: 1, last: 1 } };
  const tokens = estimateTokens(text);
  const headings = title === '' ? [] : [title];
  return {
    path: id,
    title,
    chunk: { id: chunkId(id, contentHash, 0), contentHash, passageKind: 'prose', headings, text, tokens, ...position },
  };
});

const models = mkdtempSync(join(tmpdir(), 'pinakes-models-'));
const local = createOnnxEmbedder({ ...(await minilmFolder(models)), threads: 1 });
const embedder = withVectorCache(local, file);

async function vectorsOf(texts: readonly string[], role: 'query' | 'passage'): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let at = 0; at < texts.length; at += BATCH_SIZE) {
    const outcomes = await embedder.embed(texts.slice(at, at + BATCH_SIZE), role);
    for (const outcome of outcomes)
      vectors.push(outcome.kind === 'embedded' ? outcome.vector : new Float32Array(embedder.space.dimensions));
  }
  return vectors;
}

const vectors = await vectorsOf(
  entries.map(({ chunk }) => passageText(chunk.headings, chunk.text)),
  'passage',
);
const queryIds = [...set.judged.keys()];
const questions = await vectorsOf(
  queryIds.map((query) => set.queries.get(query) ?? ''),
  'query',
);
await local.close();
rmSync(models, { recursive: true });

const index = buildIndex(entries);
const rowOf = new Map(entries.map(({ path }, row) => [path, row]));
const scores = { lexical: 0, dense: 0, hybrid: 0 };
queryIds.forEach((query, at) => {
  const relevance = set.judged.get(query) ?? new Map<string, number>();
  const question = questions[at] ?? new Float32Array(0);
  const similarityOf = (row: number): number => cosineSimilarity(question, vectors[row] ?? question);
  const lexical = searchIndex(index, set.queries.get(query) ?? '', { limit: CANDIDATES }).map(({ entry, score }) => ({
    key: entry.path,
    score,
  }));
  const dense = entries
    .map(({ path }, row) => ({ key: path, score: similarityOf(row) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, CANDIDATES);
  const similarities = new Map([...lexical, ...dense].map(({ key }) => [key, similarityOf(rowOf.get(key) ?? 0)]));
  const hybrid = fuse(
    lexical,
    [...similarities].map(([key, score]) => ({ key, score })),
  );
  const keys = (list: ReadonlyArray<{ readonly key: string }>): string[] => list.map(({ key }) => key);
  scores.lexical += ndcg(keys(lexical), relevance) / queryIds.length;
  scores.dense += ndcg(keys(dense), relevance) / queryIds.length;
  scores.hybrid += ndcg(keys(hybrid), relevance) / queryIds.length;
});
const rounded = Object.fromEntries(Object.entries(scores).map(([name, score]) => [name, Number(score.toFixed(4))]));
writeResult(`hybrid-quality-${basename(folder)}`, {
  documents: entries.length,
  queries: queryIds.length,
  model: embedder.space.model,
  ndcgAt10: rounded,
  weights: fusionWeights,
});
