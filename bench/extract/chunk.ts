// node bench/extract/chunk.ts: megabytes of Markdown that one core chunks per second, ids included.

import { bundleLimits } from '../../src/core/chunk/chunker.ts';
import { markdownChunker } from '../../src/core/chunk/markdown/markdown-chunker.ts';
import { syntheticPages } from '../support/synthetic-markdown.ts';
import { fastestSeconds } from '../support/processor-time.ts';
import { writeResult } from '../support/write-result.ts';

const pages = syntheticPages(1500);
const bytes = pages.reduce((total, { text }) => total + Buffer.byteLength(text), 0);

let chunks = 0;
const seconds = fastestSeconds(7, () => {
  chunks = pages.reduce((total, page) => total + markdownChunker.chunk(page, bundleLimits).chunks.length, 0);
});

writeResult('chunk', {
  pages: pages.length,
  megabytes: Number((bytes / 1e6).toFixed(1)),
  chunks,
  processorSeconds: Number(seconds.toFixed(3)),
  megabytesPerSecondPerCore: Number((bytes / 1e6 / seconds).toFixed(1)),
});
