// node bench/search/hybrid-quality.ts FOLDER VECTORS: nDCG@10 of lexical, vector and hybrid search on a retrieval set in BEIR's
// layout, with the shipped weights. Vectors are cached in the file VECTORS. The set is not part of this repository.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fuse } from '../../src/search/fuse-results.ts';
import { fusionWeights } from '../../src/core/rank/fusion-weights.table.ts';
import { passageText } from '../../src/core/vector/passage-text.ts';
import { cosineSimilarity } from '../../src/core/vector/cosine-similarity.ts';
import { createOnnxEmbedder } from '../../src/embed/onnx-embedder.ts';
import { minilmFolder } from '../../test/support/minilm-folder.ts';
import { createBeirRanker, ndcg, readBeir } from './read-beir.ts';
import { withVectorCache } from '../support/vector-cache.ts';
import { writeResult } from '../support/write-result.ts';

const [, , folder, file] = process.argv;
if (folder === undefined || file === undefined)
  throw new Error('usage: node bench/search/hybrid-quality.ts FOLDER VECTORS');
const set = readBeir(folder);
const NEAREST = 100;
const BATCH_SIZE = 64;

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
  set.documents.map(({ title, text }) => passageText(title === '' ? [] : [title], text)),
  'passage',
);
const queryIds = [...set.qrels.keys()];
const questions = await vectorsOf(
  queryIds.map((query) => set.queries.get(query) ?? ''),
  'query',
);
await local.close();
rmSync(models, { recursive: true });

const rank = createBeirRanker(set.documents);
const rowOf = new Map(set.documents.map(({ id }, row) => [id, row]));
const scores = { lexical: 0, dense: 0, hybrid: 0 };
for (const [at, query] of queryIds.entries()) {
  const relevance = set.qrels.get(query) ?? new Map<string, number>();
  const question = questions[at] ?? new Float32Array(0);
  const similarityOf = (row: number): number => cosineSimilarity(question, vectors[row] ?? question);
  const ranked = await rank(set.queries.get(query) ?? '');
  const lexical = ranked.map(({ id, score }) => ({ key: id, score: Math.max(0, score) }));
  const dense = set.documents
    .map(({ id }, row) => ({ key: id, score: similarityOf(row) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, NEAREST);
  const similarities = new Map([...lexical, ...dense].map(({ key }) => [key, similarityOf(rowOf.get(key) ?? 0)]));
  const hybrid = fuse(
    lexical,
    [...similarities].map(([key, score]) => ({ key, score })),
  );
  const keys = (list: ReadonlyArray<{ readonly key: string }>): string[] => list.map(({ key }) => key);
  scores.lexical += ndcg(keys(lexical), relevance) / queryIds.length;
  scores.dense += ndcg(keys(dense), relevance) / queryIds.length;
  scores.hybrid += ndcg(keys(hybrid), relevance) / queryIds.length;
}
const rounded = Object.fromEntries(Object.entries(scores).map(([name, score]) => [name, Number(score.toFixed(4))]));
writeResult(`hybrid-quality-${basename(folder)}`, {
  documents: set.documents.length,
  queries: queryIds.length,
  model: embedder.space.model,
  ndcgAt10: rounded,
  weights: fusionWeights,
});
