// A batch against a server that fails at random, is slow, resets connections and is restarted. Each result is checked against what
// its URL deserves.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadEach, type LoadResult } from '../../../src/loader.ts';
import { startCrawl4AiServer, type Crawl4AiServer, type CrawlFault } from '../../support/crawl4ai-server.ts';
import { createRandom } from '../../support/random.ts';

export interface ChaosReport {
  readonly loaded: number;
  /** Count of failures by code. */
  readonly failed: Readonly<Record<string, number>>;
  /** Results that are not in their place, or are not what their URL deserves; none. */
  readonly faults: readonly string[];
  readonly restarts: number;
  readonly maxConcurrent: number;
  /** Growth of the heap after a collection, between the first tenth and the end. */
  readonly grownMb: number;
  readonly seconds: number;
}

export interface ChaosOptions {
  readonly count: number;
  readonly pageBytes: number;
  readonly maxDelayMs: number;
  readonly downMs: number;
  readonly retryDelays: readonly number[];
  readonly seed: number;
}

/** Three of every twenty pages can never be loaded, each for its own reason. */
const DESERVED: Readonly<Record<number, string>> = {
  3: 'crawl4ai.status',
  7: 'crawl4ai.malformed',
  11: 'crawl4ai.failed',
};

/** Where luck alone decides. */
const BAD_LUCK: ReadonlySet<string> = new Set(['crawl4ai.status', 'crawl4ai.unavailable', 'load.circuit-open']);

export async function runChaosBatch(options: ChaosOptions): Promise<ChaosReport> {
  const { count, pageBytes, maxDelayMs, downMs, retryDelays, seed } = options;
  const urls = Array.from({ length: count }, (_, at) => `https://8.8.8.8/docs/${at}`);
  const random = createRandom(seed);
  let server: Crawl4AiServer | null = null;
  let port = 0;
  let most = 0;
  const start = async (): Promise<void> => {
    const faultFor = (url: string): CrawlFault | null => permanentFault(url) ?? randomFault(random());
    const resultFor = (url: string) => ({
      markdown: `# ${url}\n\n${'word '.repeat(pageBytes / 5)}`,
      ...(numberOf(url) % 20 === 11 && { success: false, error_message: 'blocked' }),
    });
    const delayMs = () => random() * maxDelayMs;
    server = await startCrawl4AiServer({ format: 'urls', port, faultFor, resultFor, delayMs });
    port = server.port;
  };
  const stop = async (): Promise<void> => {
    most = Math.max(most, server?.maxConcurrent() ?? 0);
    await server?.close();
  };
  await start();
  const started = performance.now();
  const report = { loaded: 0, failed: {} as Record<string, number>, faults: [] as string[], restarts: 0 };
  const heap: number[] = [];
  let at = 0;
  let restarting: Promise<void> = Promise.resolve();
  try {
    for await (const result of loadEach(urls, { endpointUrl: server!.url, retryDelays })) {
      const fault = faultOf(result, urls[at] ?? '', at);
      if (fault !== null) report.faults.push(fault);
      if (result.kind === 'loaded') report.loaded += 1;
      else report.failed[result.error.code] = (report.failed[result.error.code] ?? 0) + 1;
      at += 1;
      if (at % Math.ceil(count / 10) === 0) heap.push(collectedHeapBytes());
      if (at === Math.floor(count * 0.4)) {
        report.restarts += 1;
        restarting = stop()
          .then(() => new Promise((resolve) => setTimeout(resolve, downMs)))
          .then(start);
      }
    }
  } finally {
    await restarting;
    await stop();
  }
  const grownMb = ((heap.at(-1) ?? 0) - (heap[0] ?? 0)) / 1e6;
  return { ...report, maxConcurrent: most, grownMb, seconds: (performance.now() - started) / 1000 };
}

function numberOf(url: string): number {
  return Number(url.slice(url.lastIndexOf('/') + 1));
}

function permanentFault(url: string): CrawlFault | null {
  const at = numberOf(url) % 20;
  if (at === 3) return 404;
  return at === 7 ? 'not-json' : null;
}

function randomFault(chance: number): CrawlFault | null {
  if (chance < 0.08) return 500;
  if (chance < 0.12) return 'reset';
  return chance < 0.15 ? 'cut-off' : null;
}

function faultOf(result: LoadResult, url: string, at: number): string | null {
  if (result.url !== url) return `${at}: the result of ${result.url} replaces that of ${url}`;
  const deserved = DESERVED[at % 20];
  if (result.kind === 'loaded') {
    const { text, metadata } = result.page;
    if (deserved !== undefined) return `${at}: loaded instead of ${deserved}`;
    return text.startsWith(`# ${url}\n`) && metadata.source_url === url ? null : `${at}: the text of another page`;
  }
  const { code, message } = result.error;
  if (message === '' || message.includes('{')) return `${at}: no reason: ${message}`;
  return code === deserved || BAD_LUCK.has(code) ? null : `${at}: ${code}, deserved ${deserved}`;
}

let collect: (() => void) | null = null;

function collectedHeapBytes(): number {
  setFlagsFromString('--expose-gc');
  collect ??= runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}
