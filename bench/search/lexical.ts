// node bench/search/lexical.ts: megabytes of text that one core tokenizes and indexes per second, the size of the index, and the
// cost of a search.

import { bundleLimits } from '../../src/core/chunk/chunker.ts';
import { markdownChunker } from '../../src/core/chunk/markdown/markdown-chunker.ts';
import { createMemoryIndex } from '../../src/core/lexical/segment/memory-index.ts';
import { eachToken } from '../../src/core/lexical/tokenize/tokenize.ts';
import type { SourceId, VersionId } from '../../src/core/model/run.ts';
import { retrievePages } from '../../src/core/rank/lexical-retrieval.ts';
import { syntheticPages } from '../support/synthetic-markdown.ts';
import { fastestSeconds } from '../support/processor-time.ts';
import { writeResult } from '../support/write-result.ts';

const version = 1 as VersionId;
const pages = syntheticPages(1000).map((page) => {
  const { chunks } = markdownChunker.chunk(page, bundleLimits);
  return { url: page.url, title: page.title, pageKind: null, checkedAt: new Date(0), chunks };
});
const entries = pages.flatMap(({ url, title, chunks }) => chunks.map((chunk) => ({ path: url, title, chunk })));
const bytes = entries.reduce((total, { chunk }) => total + Buffer.byteLength(chunk.text), 0);

let tokens = 0;
const tokenizing = fastestSeconds(4, () => {
  tokens = 0;
  for (const { chunk } of entries) eachToken(chunk.text, () => (tokens += 1));
});
let index = createMemoryIndex([]);
const indexing = fastestSeconds(4, () => {
  index = createMemoryIndex([{ id: version, source: 1 as SourceId, pages }]);
});
const queries = [
  'configure server pool size',
  'readfilesync',
  '--max-pool',
  'timeout retry log level query index token',
];
let searching = Number.POSITIVE_INFINITY;
for (let round = 0; round < 5; round += 1) {
  const started = process.cpuUsage();
  for (const query of queries) await retrievePages(index, query, { versions: [version], names: new Map() });
  searching = Math.min(searching, process.cpuUsage(started).user / 1e6);
}

writeResult('lexical', {
  chunks: entries.length,
  megabytes: Number((bytes / 1e6).toFixed(1)),
  tokens,
  tokenizeMegabytesPerSecondPerCore: Number((bytes / 1e6 / tokenizing).toFixed(1)),
  indexMegabytesPerSecondPerCore: Number((bytes / 1e6 / indexing).toFixed(1)),
  searchMilliseconds: Number(((searching * 1000) / queries.length).toFixed(2)),
});
