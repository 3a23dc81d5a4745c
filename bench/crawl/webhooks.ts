// node bench/crawl/webhooks.ts [--pages 400] [--rounds 5]: time of a crawl without and with webhooks, alternately. The webhooks: two that accept, one that
// fails and one that hangs. The site and the receivers are another process. PINAKES_TEST_POSTGRES_URL names a PostgreSQL on this machine.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openLibrary } from '../../src/index.ts';
import { createDatabase } from '../../test/support/stores.ts';
import { temporaryDirectory } from '../../test/support/temporary-folder.ts';
import { writeResult } from '../support/write-result.ts';

const { values } = parseArgs({
  options: { pages: { type: 'string', default: '400' }, rounds: { type: 'string', default: '5' } },
});
const PAGES = Number(values.pages);
const ROUNDS = Number(values.rounds);
const HOOKS = ['accept-1', 'accept-2', 'fail', 'hang'];

interface Crawl {
  readonly ms: number;
  readonly cpuMs: number;
  /** Changes that the webhooks accepted when the crawl ended. */
  readonly delivered: number;
}

/** One library, one source, one run. */
async function crawl(origin: string, engine: 'sqlite' | 'postgres', hooks: readonly string[]): Promise<Crawl> {
  const database = engine === 'postgres' ? await createDatabase() : null;
  const dataDir = temporaryDirectory();
  const library = await openLibrary({
    ...(database === null ? { dataDir } : { databaseUrl: database.url, dataDir }),
    settings: {
      fetch: { allowCidrs: ['127.0.0.0/8'], allowPorts: ['1024-65535'] },
      crawl: { startDelayMs: 0 },
      parse: { threads: 1 },
      webhooks: { minRetryMs: 1000 },
    },
  });
  for (const name of hooks) await library.webhooks.create({ url: `${origin}/hook/${name}`, name });
  const before = process.cpuUsage();
  const started = performance.now();
  const { state, counts } = await (await library.add({ url: `${origin}/docs/`, name: 'docs' })).done();
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  if (state !== 'completed' || counts.new < PAGES) throw new Error(`${state}, ${counts.new} pages`);
  const pending = (await library.webhooks.list()).map((hook) => hook.pending);
  await library.close();
  await database?.drop();
  rmSync(dataDir, { recursive: true });
  const delivered = pending.reduce((sum, left) => sum + counts.new - left, 0);
  return { ms: Math.round(ms), cpuMs: Math.round((user + system) / 1000), delivered };
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

async function measure(origin: string, engine: 'sqlite' | 'postgres'): Promise<object> {
  await crawl(origin, engine, HOOKS); // code is loaded and compiled
  const without: Crawl[] = [];
  const withHooks: Crawl[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each goes first as often as the other.
    const turns = [
      async () => void without.push(await crawl(origin, engine, [])),
      async () => void withHooks.push(await crawl(origin, engine, HOOKS)),
    ];
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
  }
  const ratio = (of: (one: Crawl) => number): number =>
    Math.round((1000 * median(withHooks.map(of))) / median(without.map(of))) / 1000;
  return { engine, ratioMs: ratio(({ ms }) => ms), ratioCpuMs: ratio(({ cpuMs }) => cpuMs), without, withHooks };
}

/** The site and the receivers. */
async function serve(): Promise<void> {
  const words = (i: number): string => Array.from({ length: 120 }, (_, n) => `word${(i * 31 + n * 7) % 997}`).join(' ');
  const server = createServer((request, response) => {
    const { url = '' } = request;
    request.resume();
    if (url.endsWith('/hang')) return undefined;
    if (url.startsWith('/hook/')) return response.writeHead(url.endsWith('/fail') ? 500 : 204).end();
    const i = Number(/^\/docs\/(\d+)$/.exec(url)?.[1] ?? -1);
    if (url !== '/docs/' && (i < 0 || i >= PAGES)) return response.writeHead(404).end();
    const links = Array.from({ length: PAGES }, (_, n) => `<p><a href="/docs/${n}">${n}</a></p>`).join('');
    response.setHeader('content-type', 'text/html');
    return response.end(
      `<title>Part ${i}</title><main><h1>Part ${i}</h1>${i < 0 ? links : `<p>${words(i)}</p>`}</main>`,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

if (process.send === undefined) {
  const child = fork(import.meta.filename, process.argv.slice(2));
  const [origin] = (await once(child, 'message')) as [string];
  const results = [await measure(origin, 'sqlite'), await measure(origin, 'postgres')];
  child.kill();
  writeResult('webhooks', { pages: PAGES, rounds: ROUNDS, webhooks: HOOKS, results });
} else await serve();
