// node bench/search/rank-quality.ts FOLDER: nDCG@10 of the shipped ranking (words alone) on a retrieval set in BEIR's layout. The
// set is not part of this repository; its licence decides where it may be kept.

import { basename } from 'node:path';
import { firstLookWeights } from '../../src/core/lexical/first-look-weights.table.ts';
import { queryTerms, rarity } from '../../src/core/lexical/query-terms.ts';
import { scoreSegments } from '../../src/core/lexical/query/generate-candidates.ts';
import { createSegmentDraft } from '../../src/core/lexical/segment/segment-builder.ts';
import { memorySegment } from '../../src/core/lexical/segment/segment.ts';
import { chunkId, estimateTokens } from '../../src/core/model/chunk.ts';
import { sha256Hex } from '../../src/core/model/hash.ts';
import { questionOf } from '../../src/core/lexical/query/parsed-query.ts';
import { rankPages } from '../../src/core/rank/rank-pages.ts';
import { wordScores } from '../../src/search/lexical-retrieval.ts';
import { ndcg, readBeir } from './read-beir.ts';
import { writeResult } from '../support/write-result.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: node bench/search/rank-quality.ts FOLDER');
const set = readBeir(folder);
const draft = createSegmentDraft();
for (const { id, title, text } of set.documents) {
  const contentHash = sha256Hex(text);
  const rest = { kind: 'prose', headings: [title], anchor: null, symbol: null, address: null } as const;
  const lines = { first: 1, last: 1 };
  const chunk = { id: chunkId(id, contentHash, 0), contentHash, text, lines, tokens: estimateTokens(text), ...rest };
  draft.addPage([{ path: '', title, chunk }]);
}
const segment = memorySegment(draft);

function rankedIds(query: string): string[] {
  const terms = queryTerms(query, 0.2);
  const found = terms.map(({ term }) => segment.terms.get(term));
  const worth = terms.map(({ weight }, at) => weight * rarity(found[at]?.count ?? 0, segment.chunks));
  const postings = new Map(found.flatMap((one, at) => (one === undefined ? [] : [[at, one.bytes] as const])));
  const options = { weights: firstLookWeights, pages: 60, chunksPerPage: 3 };
  const looks = scoreSegments([{ ...segment, id: 0, postings }], worth, options);
  const candidates = looks.flatMap((look) => {
    const document = set.documents[look.page];
    if (document === undefined) return [];
    const { id, title, text } = document;
    const page = { pageKind: null, pageChunks: 1, source: '', symbol: null, headings: [title] };
    return [{ url: id, title, text, ...wordScores(look), ...page }];
  });
  return rankPages(questionOf(query, terms, worth), candidates).map(({ candidate }) => candidate.url);
}

const scores = [...set.judged].map(([query, relevance]) => ndcg(rankedIds(set.queries.get(query) ?? ''), relevance));
const mean = scores.reduce((total, score) => total + score, 0) / scores.length;
writeResult(`rank-quality-${basename(folder)}`, {
  documents: set.documents.length,
  queries: scores.length,
  ndcgAt10: Number(mean.toFixed(4)),
});
