// node bench/search/lexical.ts: megabytes of text that one core tokenizes and indexes per second, the size of the index, and the
// cost of a search.

import { bundleLimits } from '../../src/core/chunk/chunker.ts';
import { markdownChunker } from '../../src/core/chunk/markdown/markdown-chunker.ts';
import { buildIndex } from '../../src/core/lexical/standalone/build-index.ts';
import { indexToJson } from '../../src/core/lexical/standalone/index-json.ts';
import { searchIndex } from '../../src/core/lexical/standalone/search-index.ts';
import { eachToken } from '../../src/core/lexical/tokenize/tokenize.ts';
import { syntheticPages } from '../support/synthetic-markdown.ts';
import { fastestSeconds } from '../support/processor-time.ts';
import { writeResult } from '../support/write-result.ts';

const pages = syntheticPages(1000);
const entries = pages.flatMap((page) =>
  markdownChunker.chunk(page, bundleLimits).chunks.map((chunk) => ({ path: page.url, title: page.title, chunk })),
);
const bytes = entries.reduce((total, { chunk }) => total + Buffer.byteLength(chunk.text), 0);

let tokens = 0;
const tokenizing = fastestSeconds(4, () => {
  tokens = 0;
  for (const { chunk } of entries) eachToken(chunk.text, () => (tokens += 1));
});
let index = buildIndex([]);
const indexing = fastestSeconds(4, () => {
  index = buildIndex(entries);
});
const queries = [
  'configure server pool size',
  'readfilesync',
  '--max-pool',
  'timeout retry log level query index token',
];
const searching = fastestSeconds(5, () => {
  for (const query of queries) searchIndex(index, query, { limit: 10 });
});

writeResult('lexical', {
  chunks: entries.length,
  megabytes: Number((bytes / 1e6).toFixed(1)),
  tokens,
  tokenizeMegabytesPerSecondPerCore: Number((bytes / 1e6 / tokenizing).toFixed(1)),
  indexMegabytesPerSecondPerCore: Number((bytes / 1e6 / indexing).toFixed(1)),
  indexJsonMegabytes: Number((Buffer.byteLength(indexToJson(index)) / 1e6).toFixed(1)),
  searchMilliseconds: Number(((searching * 1000) / queries.length).toFixed(2)),
});
