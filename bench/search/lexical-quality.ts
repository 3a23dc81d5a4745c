// node bench/search/lexical-quality.ts FOLDER: nDCG@10 of core/lexical on a retrieval set in BEIR's layout. The set is not part of
// this repository; its licence decides where it may be stored.

import { basename } from 'node:path';
import { buildIndex } from '../../src/core/lexical/standalone/build-index.ts';
import { defaultWeights } from '../../src/core/lexical/segment/fields.ts';
import type { IndexEntry } from '../../src/core/lexical/standalone/lexical-index.ts';
import { searchIndex } from '../../src/core/lexical/standalone/search-index.ts';
import { chunkId, estimateTokens } from '../../src/core/model/chunk.ts';
import { sha256Hex } from '../../src/core/model/hash.ts';
import { ndcg, readBeir } from './read-beir.ts';
import { writeResult } from '../support/write-result.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: node bench/search/lexical-quality.ts FOLDER');
const set = readBeir(folder);

const entries = set.documents.map(({ id, title, text }): IndexEntry => {
  const contentHash = sha256Hex(text);
  return {
    path: id,
    title,
    chunk: {
      id: chunkId(id, contentHash, 0),
      contentHash,
      passageKind: 'prose',
      headings: [],
      anchor: null,
      symbol: null,
      jsonPath: null,
      text,
      lines: { first: 1, last: 1 },
      tokens: estimateTokens(text),
    },
  };
});
const index = buildIndex(entries);
const scores = [...set.judged].map(([query, relevance]) => {
  const hits = searchIndex(index, set.queries.get(query) ?? '', { limit: 10 });
  return ndcg(
    hits.map(({ entry }) => entry.path),
    relevance,
  );
});
const mean = scores.reduce((total, score) => total + score, 0) / scores.length;

writeResult(`lexical-quality-${basename(folder)}`, {
  documents: entries.length,
  queries: scores.length,
  ndcgAt10: Number(mean.toFixed(4)),
  weights: defaultWeights,
});
