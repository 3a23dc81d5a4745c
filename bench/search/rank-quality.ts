// node bench/search/rank-quality.ts FOLDER: nDCG@10 of the shipped ranking (lexical only) on a retrieval set in BEIR's layout. The
// set is not part of this repository; its licence decides where it may be stored.

import { basename } from 'node:path';
import { candidateWeights, generateCandidates } from '../../src/core/lexical/query/generate-candidates.ts';
import { idf, parseQuery, queryTerms } from '../../src/core/lexical/query/parsed-query.ts';
import { createSegmentBuilder } from '../../src/core/lexical/segment/segment-builder.ts';
import { memorySegment } from '../../src/core/lexical/segment/segment.ts';
import { chunkId, estimateTokens } from '../../src/core/model/chunk.ts';
import { sha256Hex } from '../../src/core/model/hash.ts';
import { rankPages } from '../../src/core/rank/rank-pages.ts';
import { lexicalScores } from '../../src/search/lexical-retrieval.ts';
import { ndcg, readBeir } from './read-beir.ts';
import { writeResult } from '../support/write-result.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: node bench/search/rank-quality.ts FOLDER');
const set = readBeir(folder);
const builder = createSegmentBuilder();
for (const { id, title, text } of set.documents) {
  const contentHash = sha256Hex(text);
  const rest = { passageKind: 'prose', headings: [title], anchor: null, symbol: null, jsonPath: null } as const;
  const lines = { first: 1, last: 1 };
  const chunk = { id: chunkId(id, contentHash, 0), contentHash, text, lines, tokens: estimateTokens(text), ...rest };
  builder.addPage([{ path: '', title, chunk }]);
}
const segment = memorySegment(builder);

function rankedIds(query: string): string[] {
  const terms = queryTerms(query, 0.2);
  const found = terms.map(({ term }) => segment.terms.get(term));
  const termWeights = terms.map(({ weight }, at) => weight * idf(found[at]?.count ?? 0, segment.chunks));
  const postings = new Map(found.flatMap((one, at) => (one === undefined ? [] : [[at, one.bytes] as const])));
  const options = { weights: candidateWeights, pages: 60, chunksPerPage: 3 };
  const retrieved = generateCandidates([{ ...segment, id: 0, postings }], termWeights, options);
  const candidates = retrieved.flatMap((candidate) => {
    const document = set.documents[candidate.pageIndex];
    if (document === undefined) return [];
    const { id, title, text } = document;
    const page = { pageKind: null, pageChunks: 1, source: '', symbol: null, headings: [title] };
    return [{ url: id, title, text, ...lexicalScores(candidate), ...page }];
  });
  return rankPages(parseQuery(query, terms, termWeights), candidates).map(({ candidate }) => candidate.url);
}

const scores = [...set.judged].map(([query, relevance]) => ndcg(rankedIds(set.queries.get(query) ?? ''), relevance));
const mean = scores.reduce((total, score) => total + score, 0) / scores.length;
writeResult(`rank-quality-${basename(folder)}`, {
  documents: set.documents.length,
  queries: scores.length,
  ndcgAt10: Number(mean.toFixed(4)),
});
