// node bench/vector/bit-scan.ts VECTORS QUESTIONS.jsonl: recall of the ten nearest rows by the bit scan, against comparing every
// row, over the vectors that bench/vector/embed-library.ts saved, for subsets of every size; and the CPU time of a scan.

import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantize, scanBits, wordsPerVector } from '../../src/core/vector/bit-scan.ts';
import { cosineSimilarity } from '../../src/core/vector/cosine-similarity.ts';
import { createOnnxEmbedder } from '../../src/embed/onnx-embedder.ts';
import { minilmFolder } from '../../test/support/minilm-folder.ts';
import { readQuestions } from '../search/read-questions.ts';
import { withVectorCache } from '../support/vector-cache.ts';
import { writeResult } from '../support/write-result.ts';

const [, , vectorsFile, questionsFile] = process.argv;
if (vectorsFile === undefined || questionsFile === undefined)
  throw new Error('usage: node bench/vector/bit-scan.ts VECTORS QUESTIONS.jsonl');

const DIMENSIONS = 384;
const NEAREST = 10;
const QUESTIONS = 60;
const SCAN = { coarse: 3000, fine: 400 };
const SHARES = [1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005];

const models = mkdtempSync(join(tmpdir(), 'pinakes-models-'));
const embedder = createOnnxEmbedder({ ...(await minilmFolder(models)), threads: 1 });
const outcomes = await withVectorCache(embedder, vectorsFile).embed(
  readQuestions(questionsFile)
    .slice(0, QUESTIONS)
    .map(({ query }) => query),
  'query',
);
await embedder.close();
rmSync(models, { recursive: true });
const queries = outcomes.flatMap((outcome) => (outcome.kind === 'embedded' ? [outcome.vector] : []));

const bytes = readFileSync(vectorsFile);
const size = 32 + DIMENSIONS * 4;
const rows = Math.floor(bytes.length / size);
const vectors = Array.from({ length: rows }, (_, row) => {
  const copy = Uint8Array.from(bytes.subarray(row * size + 32, (row + 1) * size));
  return new Float32Array(copy.buffer);
});
const words = new Uint32Array(rows * wordsPerVector(DIMENSIONS));
vectors.forEach((vector, row) => quantize(vector, words, row * wordsPerVector(DIMENSIONS)));
const bits = { words, rows, dimensions: DIMENSIONS };

const order = queries.map((query) => {
  const scores = Float32Array.from(vectors, (vector) => cosineSimilarity(query, vector));
  return Uint32Array.from({ length: rows }, (_, row) => row).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
});

function recallAt(share: number): number {
  const admitted = Uint8Array.from({ length: rows }, (_, row) =>
    Number((Math.imul(row + 1, 2_654_435_761) >>> 0) / 2 ** 32 < share),
  );
  const recalls = queries.map((query, at) => {
    const nearest: number[] = [];
    for (const row of order[at] ?? []) {
      if (admitted[row] === 1) nearest.push(row);
      if (nearest.length === NEAREST) break;
    }
    const found = new Set(scanBits(bits, query, admitted, SCAN));
    return nearest.filter((row) => found.has(row)).length / nearest.length;
  });
  return Number((recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length).toFixed(4));
}

const times = queries
  .map((query) => {
    const before = process.cpuUsage();
    scanBits(bits, query, null, SCAN);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  })
  .sort((a, b) => a - b);
const at = (share: number): number => Number((times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(2));

writeResult('bit-scan', {
  rows,
  questions: queries.length,
  recallOfTenByShareOfRows: Object.fromEntries(SHARES.map((share) => [String(share), recallAt(share)])),
  scanCpuMs: { p50: at(0.5), p95: at(0.95) },
});
