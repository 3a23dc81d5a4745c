// A parser on worker threads. A page that loops or exhausts memory costs its thread and nothing else: the thread is
// terminated, the page fails, and a new thread takes the next page. Sites share the time of the threads evenly.

import { bundleLimits, type ChunkLimits } from '../core/chunk/chunker.ts';
import { sniffBinaryType } from '../core/extract/decode/media-type.ts';
import type { RawPage } from '../core/extract/extractor.ts';
import { pinakesError, type PinakesError } from '../core/model/errors.ts';
import { fileUrl } from '../core/files/file-url.ts';
import { pageUrl } from '../core/model/page-url.ts';
import { siteOf } from '../core/url/site.ts';
import { createThreadPool } from '../platform/thread-pool.ts';
import { startThread, type Thread, threadEntryUrl, threadError, type ThreadFault } from '../platform/worker-thread.ts';
import type { ParseContract, ParseJob } from './parse-job.ts';
import type { JobResults, Parser } from './port.ts';

export interface ThreadParserOptions {
  readonly threads: number;
  /** How long one page may use a processor, not counting the loading of the code; a PDF or a package six times as long. */
  readonly timeoutMs?: number;
  /** JavaScript heap of one thread, and as much again for bytes outside it. */
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
/** A PDF and a package are many pages at a time: a PDF takes up to 26 s where a web page of the same size takes one. */
const LONG_TIMES = 6;
/** The texts of a package. The caller leaves out what would exceed it. */
const MAX_PACKAGE_BYTES = 64 * MEBIBYTE;
/** Loading the code is not the page's fault and has its own timeout. */
const START_MS = 30_000;

export function createThreadParser(options: ThreadParserOptions): Parser {
  const { threads, idleMs = 5000 } = options;
  const { maxBodyBytes = 10 * MEBIBYTE, maxFileBytes = 50 * MEBIBYTE, maxWaiting = 256 } = options;
  const start = (): Thread<ParseContract> => startParseThread(options);
  const pool = createThreadPool({ maxThreads: threads, start, idleMs, closedError: closed });

  /** The result of a job has the type of its kind. */
  async function submit<Kind extends ParseJob['kind']>(
    job: ParseJob & { readonly kind: Kind },
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<JobResults[Kind]> {
    signal?.throwIfAborted();
    const { url, body } = job.input;
    if (body.byteLength > limit) throw pinakesError('fetch.too-large', { url, limit });
    if (pool.waiting() >= maxWaiting) throw pinakesError('parse.busy', { waiting: pool.waiting() });
    return (await pool.call(job, { signal, group: siteOf(url) })) as JobResults[Kind];
  }

  return {
    parse: (input, signal) => submit({ kind: 'page', input }, maxBodyBytes, signal),
    readSitemap: (input, signal) => submit({ kind: 'sitemap', input }, maxFileBytes, signal),
    readLlmsTxt: (input, signal) => submit({ kind: 'llms-txt', input }, maxFileBytes, signal),
    splitLlmsFull: (input, signal) => submit({ kind: 'llms-full', input }, maxFileBytes, signal),
    async readPackage(folder, signal) {
      const body = new TextEncoder().encode(JSON.stringify(folder));
      const input = { url: fileUrl(folder.manifest.name), mediaType: null, body };
      return submit({ kind: 'package', input }, MAX_PACKAGE_BYTES, signal);
    },
    pipelineVersions: (signal) => submit({ kind: 'pipeline-versions', input: emptyPage() }, 0, signal),
    close: () => pool.close(),
  };
}

/** A new one each time: the body is transferred with its job. */
const emptyPage = (): RawPage => ({ url: pageUrl('file:///'), mediaType: null, body: new Uint8Array() });

function closed(): PinakesError {
  return pinakesError('internal', { reason: 'the parser was closed' });
}

function startParseThread(options: ThreadParserOptions): Thread<ParseContract> {
  const { timeoutMs = 10_000, maxHeapMb = 384, chunkLimits = bundleLimits } = options;
  const { localChunkLimits = chunkLimits } = options;
  return startThread<ParseContract>({
    name: 'parse',
    entry: threadEntryUrl('parse-thread', import.meta.url),
    data: { chunkLimits, localChunkLimits },
    // Parsing needs no settings, and secrets stay out of the thread that parses hostile bytes.
    env: 'none',
    maxHeapMb,
    maxExternalMb: maxHeapMb,
    startMs: START_MS,
    timeoutMs: ({ kind, input }) => (kind === 'package' || isPdf(input.body) ? timeoutMs * LONG_TIMES : timeoutMs),
    clock: 'cpu',
    endMs: 0,
    onAbort: 'terminate',
    unrefWhenIdle: true,
    pack: packJob,
    errorOf: (fault, job) => parseError(fault, job?.input.url ?? ''),
  });
}

function isPdf(body: Uint8Array): boolean {
  return sniffBinaryType(body) === 'application/pdf';
}

function parseError(fault: ThreadFault, url: string): Error {
  switch (fault.kind) {
    case 'timeout':
      return pinakesError('parse.timeout', { url, ms: fault.ms });
    case 'memory':
      return pinakesError('parse.memory', { url });
    case 'crashed':
      return pinakesError('internal', { reason: `a parse thread failed: ${fault.error.name}` }, fault.error);
    case 'not-transferable':
      return pinakesError('internal', { reason: `${url} cannot be transferred to a thread` }, fault.error);
    case 'closed':
      return closed();
    case 'failed':
    case 'exited':
      return threadError('parse', fault);
  }
}

/** The body moves if it owns its memory; otherwise a copy does: a slice of a shared buffer cannot be transferred. */
function packJob(job: ParseJob): { readonly input: ParseJob; readonly transfer: readonly ArrayBuffer[] } {
  const { buffer, byteLength } = job.input.body;
  const ownsMemory = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && byteLength > 0;
  const body = ownsMemory ? new Uint8Array(buffer) : new Uint8Array(job.input.body);
  const input = { ...job, input: { ...job.input, body } } as ParseJob;
  return { input, transfer: [body.buffer] };
}
