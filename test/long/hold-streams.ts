// Many subscribers to the event stream, in a separate process: their cost is measured separately, and they do not delay the
// responses that the test measures. Started by fork as `hold-streams.ts URL COUNT`; it replies to the number of a run, sent when
// that run has ended, with a report of what the streams received.

import { get, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export interface StreamReport {
  /** Number of events that the first stream received. */
  readonly events: number;
  /** Number of different event lists: 1 when all streams received the same. */
  readonly different: number;
  readonly cpuSeconds: number;
}

const CONCURRENCY = 50;
const MAX_WAIT_MS = 30_000;

const [url = '', count = '0'] = process.argv.slice(2);
const texts: string[] = [];
const responses: IncomingMessage[] = [];

async function open(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(`${url}/events`, { agent: false }, resolve).on('error', reject);
  const response = (await promise).setEncoding('utf8').on('error', () => undefined);
  const index = texts.push('') - 1;
  response.on('data', (text: string) => (texts[index] += text));
  responses.push(response);
}

/** Parsed only at the end, so that it does not affect the measurement. */
function parseStream(text: string, run: number): { seqs: string; hasEnd: boolean } {
  const frames = text.split('\n\n');
  const seqs = frames.flatMap((frame) => /^id: (\d+)$/m.exec(frame)?.[1] ?? []).join();
  const ends = frames.filter((frame) => /^event: done$/m.test(frame));
  const runs = ends.map((frame) => (JSON.parse(/^data: (.+)$/m.exec(frame)?.[1] ?? '{}') as { run?: number }).run);
  return { seqs, hasEnd: runs.includes(run) };
}

async function report(run: number): Promise<StreamReport> {
  const until = performance.now() + MAX_WAIT_MS;
  let streams = texts.map((text) => parseStream(text, run));
  while (!streams.every(({ hasEnd }) => hasEnd) && performance.now() < until) {
    await wait(500);
    streams = texts.map((text) => parseStream(text, run));
  }
  if (!streams.every(({ hasEnd }) => hasEnd)) throw new Error('a stream did not receive the end of the run');
  const { user, system } = process.cpuUsage();
  const lists = new Set(streams.map(({ seqs }) => seqs));
  const events = streams[0]?.seqs.split(',').length ?? 0;
  return { events, different: lists.size, cpuSeconds: Math.round((user + system) / 1e5) / 10 };
}

async function printReport(run: number): Promise<void> {
  process.send?.(await report(run));
  for (const response of responses) response.destroy();
  process.disconnect();
}

process.on('message', (run: number) => void printReport(run));

for (let i = 0; i < Number(count); i += CONCURRENCY) await Promise.all(Array.from({ length: CONCURRENCY }, open));
process.send?.('open');
