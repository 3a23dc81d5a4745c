// The entry of a parsing thread: one job at a time, in the order they come.

import { parentPort, workerData } from 'node:worker_threads';
import { createGrammarLoader } from '../core/chunk/code/grammar-loader.ts';
import { createChunkers } from '../core/chunk/chunkers.ts';
import { extractors } from '../core/extract/extractors.ts';
import { createExtractorRegistry } from '../core/extract/extractor-registry.ts';
import { PinakesError } from '../core/model/errors.ts';
import { HEAP_GROWTH_PERCENT, limitHeapGrowth } from '../platform/heap-growth.ts';
import { giveMemoryBack } from '../platform/give-memory-back.ts';
import { useNativeHash } from '../platform/native-hash.ts';
import { createNodeGrammarFiles } from './node-grammar-files.ts';
import { runJob, type ParseJob } from './parse-job.ts';
import type { PageTools } from './parse-page.ts';
import type { ThreadReply, ThreadRequest } from './thread-messages.ts';

const port = parentPort;
if (port === null) throw new Error('parse-thread runs in a worker thread only');

useNativeHash();
const tools = {
  registry: createExtractorRegistry(extractors),
  chunkers: createChunkers(createGrammarLoader(createNodeGrammarFiles())),
  ...(workerData as Pick<PageTools, 'chunkLimits' | 'localChunkLimits'>),
};

port.on('message', ({ job }: ThreadRequest) => void answer(job));
port.postMessage({ kind: 'ready' } satisfies ThreadReply);

/** The tree of a page is ten times its size. For a page as long as this, memory matters more than time. */
const LONG_BYTES = 1_048_576;
const LONG_GROWTH_PERCENT = 20;

async function answer(job: ParseJob): Promise<void> {
  const isLong = job.input.body.byteLength >= LONG_BYTES;
  if (isLong) limitHeapGrowth(LONG_GROWTH_PERCENT);
  const reply = await replyTo(job);
  const body = reply.kind === 'done' && 'body' in reply.result ? reply.result.body.buffer : null;
  port?.postMessage(reply, body instanceof ArrayBuffer ? [body] : []);
  if (!isLong) return;
  limitHeapGrowth(HEAP_GROWTH_PERCENT);
  // Behind this turn nothing of the page is held any more. What it took would lie unused for the rest of a crawl.
  setImmediate(giveMemoryBack);
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
    return { kind: 'failed', code: 'internal', details: { why: `${name} while reading ${job.input.url}` }, frames };
  }
}
