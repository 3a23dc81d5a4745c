// The real parser, on the thread of the simulation, with a virtual cost.

import { createChunkers } from '../../../src/core/chunk/chunkers.ts';
import { createGrammarLoader } from '../../../src/core/chunk/code/grammar-loader.ts';
import { createExtractorRegistry } from '../../../src/core/extract/extractor-registry.ts';
import { extractors } from '../../../src/core/extract/extractors.ts';
import type { RawPage } from '../../../src/core/extract/extractor.ts';
import { runJob, type ParseJob } from '../../../src/parse/parse-job.ts';
import type { Parser } from '../../../src/parse/port.ts';
import { delayInProcess } from './simulated-process.ts';
import { integer } from './virtual-time.ts';

const CHUNK_LIMITS = { targetChars: 400, capChars: 800, maxChunks: 100 };
const grammars = createGrammarLoader({
  grammar: async () => null,
  runtime: () => Promise.reject(new Error('no grammar is installed')),
});
const TOOLS = {
  registry: createExtractorRegistry([...extractors]),
  chunkers: createChunkers(grammars),
  grammars,
  chunkLimits: CHUNK_LIMITS,
  localChunkLimits: CHUNK_LIMITS,
  words: null,
};
const EMPTY: RawPage = { url: 'http://none.test/' as RawPage['url'], body: new Uint8Array(), mediaType: 'text/plain' };

async function run<T>(job: ParseJob, signal?: AbortSignal): Promise<T> {
  await delayInProcess(integer(1, 30));
  signal?.throwIfAborted();
  return (await runJob(job, TOOLS)) as T;
}

export const simulatedParser: Parser = {
  parse: (input, signal) => run({ kind: 'page', input }, signal),
  readSitemap: (input, signal) => run({ kind: 'sitemap', input }, signal),
  readLlmsTxt: (input, signal) => run({ kind: 'llms-txt', input }, signal),
  splitLlmsFull: (input, signal) => run({ kind: 'llms-full', input }, signal),
  readPackage: () => Promise.reject(new Error('no packages are read')),
  pipelineVersions: (signal) => run({ kind: 'pipeline-versions', input: EMPTY }, signal),
  close: async () => undefined,
};
