// node bench/search/rank-quality.ts FOLDER: nDCG@10 of the shipped ranking (lexical only) on a retrieval set in BEIR's layout. The
// set is not part of this repository; its licence decides where it may be stored.

import { basename } from 'node:path';
import { createBeirRanker, ndcg, readBeir } from './read-beir.ts';
import { writeResult } from '../support/write-result.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: node bench/search/rank-quality.ts FOLDER');
const set = readBeir(folder);
const rank = createBeirRanker(set.documents);
let total = 0;
for (const [query, relevance] of set.qrels) {
  const ranked = await rank(set.queries.get(query) ?? '');
  total += ndcg(
    ranked.map(({ id }) => id),
    relevance,
  );
}
writeResult(`rank-quality-${basename(folder)}`, {
  documents: set.documents.length,
  queries: set.qrels.size,
  ndcgAt10: Number((total / set.qrels.size).toFixed(4)),
});
