// A parser on worker threads. A page that loops or exhausts memory costs its thread and nothing else: the thread is
// terminated, the page fails, and a new thread takes the next page.

import { bundleLimits, type ChunkLimits } from '../core/chunk/chunker.ts';
import type { RawPage } from '../core/extract/extractor.ts';
import { pinakesError, type PinakesError } from '../core/model/errors.ts';
import { pageUrl } from '../core/model/page-url.ts';
import { createJobQueue } from './thread-pool.ts';
import type { ParseJob } from './parse-job.ts';
import type { JobResults, Parser } from './port.ts';

export interface ThreadParserOptions {
  readonly threads: number;
  /** How long one page may take, not counting the loading of the code. */
  readonly timeoutMs?: number;
  /** JavaScript heap of one thread. */
  readonly maxHeapMb?: number;
  /** A thread that was idle for so long is terminated. */
  readonly idleMs?: number;
  readonly chunkLimits?: ChunkLimits;
  readonly localChunkLimits?: ChunkLimits;
  readonly maxBodyBytes?: number;
  /** For sitemaps and llms-full.txt, which hold many pages. */
  readonly maxFileBytes?: number;
  /** Pages that may wait for a thread before `parse.busy`. */
  readonly maxWaiting?: number;
}

const MEBIBYTE = 1024 * 1024;

export function createThreadParser(options: ThreadParserOptions): Parser {
  const { threads, timeoutMs = 10_000, maxHeapMb = 384, chunkLimits = bundleLimits } = options;
  const { localChunkLimits = chunkLimits, idleMs = 5000 } = options;
  const { maxBodyBytes = 10 * MEBIBYTE, maxFileBytes = 50 * MEBIBYTE, maxWaiting = 256 } = options;
  const queue = createJobQueue({ threads, timeoutMs, maxHeapMb, idleMs, chunkLimits, localChunkLimits });
  let isClosed = false;

  /** The result of a job has the type of its kind. */
  async function submit<Kind extends ParseJob['kind']>(
    job: ParseJob & { readonly kind: Kind },
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<JobResults[Kind]> {
    signal?.throwIfAborted();
    if (isClosed) throw closed();
    const { url, body } = job.input;
    if (body.byteLength > limit) throw pinakesError('fetch.too-large', { url, limit });
    if (queue.waiting() >= maxWaiting) throw pinakesError('parse.busy', { waiting: queue.waiting() });
    return (await queue.run(job, signal)) as JobResults[Kind];
  }

  return {
    parse: (input, signal) => submit({ kind: 'page', input }, maxBodyBytes, signal),
    readSitemap: (input, signal) => submit({ kind: 'sitemap', input }, maxFileBytes, signal),
    readLlmsTxt: (input, signal) => submit({ kind: 'llms-txt', input }, maxFileBytes, signal),
    splitLlmsFull: (input, signal) => submit({ kind: 'llms-full', input }, maxFileBytes, signal),
    pipelineVersions: (signal) => submit({ kind: 'pipeline-versions', input: emptyPage() }, 0, signal),
    async close() {
      isClosed = true;
      await queue.close(closed());
    },
  };
}

/** A new one each time: the body is transferred with its job. */
const emptyPage = (): RawPage => ({ url: pageUrl('file:///'), mediaType: null, body: new Uint8Array() });

function closed(): PinakesError {
  return pinakesError('internal', { why: 'the parser was closed' });
}
