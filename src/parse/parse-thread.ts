// Entry of a parse thread: one job at a time, in order of arrival.

import { parentPort, workerData } from 'node:worker_threads';
import { createChunkers } from '../core/chunk/chunkers.ts';
import { createGrammarLoader } from '../core/chunk/code/grammar-loader.ts';
import { createExtractorRegistry } from '../core/extract/extractor-registry.ts';
import { extractors } from '../core/extract/extractors.ts';
import { PinakesError } from '../core/model/errors.ts';
import { createNodeGrammarFiles } from './node-grammar-files.ts';
import { type PageTools, type ParseJob, runJob, type ThreadReply, type ThreadRequest } from './parse-job.ts';
import { useNativeHash } from '../platform/native-hash.ts';
import { HEAP_GROWTH_PERCENT, limitHeapGrowth, releaseHeap } from '../platform/v8-heap.ts';

const port = parentPort;
if (port === null) throw new Error('parse-thread runs in a worker thread only');

useNativeHash();
const tools = {
  registry: createExtractorRegistry(extractors),
  chunkers: createChunkers(createGrammarLoader(createNodeGrammarFiles())),
  ...(workerData as Pick<PageTools, 'chunkLimits' | 'localChunkLimits'>),
};

port.on('message', ({ job }: ThreadRequest) => void handle(job));
port.postMessage({ kind: 'ready' } satisfies ThreadReply);

/** The tree of a page is ten times its size. For a page this long, memory matters more than time. */
const LARGE_BYTES = 1_048_576;
const LARGE_GROWTH_PERCENT = 20;

async function handle(job: ParseJob): Promise<void> {
  const isLarge = job.input.body.byteLength >= LARGE_BYTES;
  if (isLarge) limitHeapGrowth(LARGE_GROWTH_PERCENT);
  const reply = await replyTo(job);
  const body = reply.kind === 'done' && 'body' in reply.result ? reply.result.body.buffer : null;
  port?.postMessage(reply, body instanceof ArrayBuffer ? [body] : []);
  if (!isLarge) return;
  limitHeapGrowth(HEAP_GROWTH_PERCENT);
  // After this tick nothing refers to the page any more. Its memory would stay unused for the rest of a crawl.
  setImmediate(releaseHeap);
}

async function replyTo(job: ParseJob): Promise<ThreadReply> {
  try {
    return { kind: 'done', result: await runJob(job, tools) };
  } catch (error) {
    const { name, stack = '' } = error instanceof Error ? error : new Error('not an error');
    const frames = stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n');
    if (error instanceof PinakesError) return { kind: 'failed', code: error.code, details: error.details, frames };
    return { kind: 'failed', code: 'internal', details: { why: `${name} while parsing ${job.input.url}` }, frames };
  }
}
