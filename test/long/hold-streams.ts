// Many listeners to the stream of events, in a process of their own: what they cost is told apart, and no answer that the
// test times waits behind them. Started by fork as `hold-streams.ts URL COUNT`; it answers a run's number, sent when that run
// has ended, with what the streams had heard by then.

import { get, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export interface Heard {
  /** Numbers of events that the first stream had. */
  readonly events: number;
  /** How many different lists of numbers there were: 1 when all streams heard the same. */
  readonly different: number;
  readonly cpuSeconds: number;
}

const AT_ONCE = 50;
const LONGEST_WAIT_MS = 30_000;

const [url = '', count = '0'] = process.argv.slice(2);
const texts: string[] = [];
const answers: IncomingMessage[] = [];

async function open(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(`${url}/events`, { agent: false }, resolve).on('error', reject);
  const answer = (await promise).setEncoding('utf8').on('error', () => undefined);
  const index = texts.push('') - 1;
  answer.on('data', (text: string) => (texts[index] += text));
  answers.push(answer);
}

/** Read only now, so that reading takes nothing from what is measured. */
function heardOf(text: string, run: number): { seqs: string; hasEnd: boolean } {
  const frames = text.split('\n\n');
  const seqs = frames.flatMap((frame) => /^id: (\d+)$/m.exec(frame)?.[1] ?? []).join();
  const ends = frames.filter((frame) => /^event: done$/m.test(frame));
  const runs = ends.map((frame) => (JSON.parse(/^data: (.+)$/m.exec(frame)?.[1] ?? '{}') as { run?: number }).run);
  return { seqs, hasEnd: runs.includes(run) };
}

async function report(run: number): Promise<Heard> {
  const until = performance.now() + LONGEST_WAIT_MS;
  let heard = texts.map((text) => heardOf(text, run));
  while (!heard.every(({ hasEnd }) => hasEnd) && performance.now() < until) {
    await wait(500);
    heard = texts.map((text) => heardOf(text, run));
  }
  if (!heard.every(({ hasEnd }) => hasEnd)) throw new Error('some stream never heard of the end');
  const { user, system } = process.cpuUsage();
  const lists = new Set(heard.map(({ seqs }) => seqs));
  const events = heard[0]?.seqs.split(',').length ?? 0;
  return { events, different: lists.size, cpuSeconds: Math.round((user + system) / 1e5) / 10 };
}

async function tell(run: number): Promise<void> {
  process.send?.(await report(run));
  for (const answer of answers) answer.destroy();
  process.disconnect();
}

process.on('message', (run: number) => void tell(run));

for (let i = 0; i < Number(count); i += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, open));
process.send?.('open');
