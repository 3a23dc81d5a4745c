// Kills a consumer of changes at random moments while a source is crawled, crawled again after a mutation, and removed, and once more after its
// position has expired. Its copy must be what the library has, and no change may come twice.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { connect, type Library } from '../../../src/client/index.ts';
import { COMPILED } from '../../support/program.ts';
import { createDatabase } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { startTestServer } from '../../support/test-server.ts';
import { waitUntil } from '../../support/wait-until.ts';

export interface KillConsumerResult {
  readonly engine: string;
  readonly pages: number;
  readonly kills: number;
  readonly killsAfterExpiry: number;
  /** Kills after which the consumer had more than before: it was killed at work. */
  readonly killedAtWork: number;
  /** Changes that the consumer applied, in all phases. */
  readonly applied: number;
  readonly doubled: number;
  /** Phases after which its copy was not what the library has. */
  readonly differences: readonly string[];
  readonly seconds: number;
}

interface Settings {
  readonly engine: 'sqlite' | 'postgres';
  readonly pages: number;
  readonly kills: number;
  readonly killsAfterExpiry: number;
}

const CONSUMER = new URL('./consumer-process.ts', import.meta.url);
const SOURCE = 'docs';
/** So that a consumer that is killed after some changes has not applied all. */
const DELAY_MS = 5;
const MAX_CHANGES = 8;
const MAX_LIFE_MS = 60;
/** Without a change for so long, there is none to work on. */
const MAX_IDLE_MS = 1000;

export async function killConsumer(settings: Settings): Promise<KillConsumerResult> {
  const started = Date.now();
  const { engine, pages, kills, killsAfterExpiry } = settings;
  const site = await createSite(pages);
  const database = engine === 'postgres' ? await createDatabase() : null;
  const env = { PINAKES_FETCH_ALLOW_PORTS: '1024-65535', PINAKES_PARSE_THREADS: '1' };
  const server = await startTestServer(database === null ? env : { ...env, PINAKES_DATABASE_URL: database.url });
  const library = connect({ server: server.url });
  const consumer = createConsumer(server.url);
  const differences: string[] = [];
  const compare = async (phase: string): Promise<void> => {
    await consumer.catchUp(library);
    const [has, copy] = [await chunksOf(library), consumer.chunks()];
    if (JSON.stringify(has) !== JSON.stringify(copy)) differences.push(`${phase}: ${has.length} and ${copy.length}`);
  };
  const third = Math.ceil(kills / 3);

  const crawl = await library.add({ url: site.url, name: SOURCE, version: '1' });
  await Promise.all([crawl.done(), consumer.kill(third)]);
  await compare('crawl');

  site.mutate();
  const recrawl = await library.recrawl(SOURCE);
  await Promise.all([recrawl.done(), consumer.kill(third)]);
  await compare('recrawl');

  await Promise.all([library.sources.remove(SOURCE), consumer.kill(kills - 2 * third)]);
  await compare('removal');

  await (await library.add({ url: site.url, name: SOURCE, version: '1' })).done();
  await consumer.kill(1);
  const expire = 'update change_log set complete_from = (select last_change from event_head)';
  if (database === null) runSqlite(join(server.directory, 'pinakes.db'), expire);
  else await runPostgres(database.url, expire);
  await consumer.kill(killsAfterExpiry);
  await compare('expiry');

  const { killedAtWork, doubled } = consumer.counts();
  const applied = consumer.applied();
  await library.close();
  await server.stop();
  await database?.drop();
  site.close();
  const seconds = Math.round((Date.now() - started) / 1000);
  return { engine, pages, kills, killsAfterExpiry, killedAtWork, applied, doubled, differences, seconds };
}

/** Or until there is none left to apply. */
async function untilApplied({ stdout }: ChildProcess, changes: number): Promise<void> {
  const enough = Promise.withResolvers<void>();
  let applied = 0;
  let idle = setTimeout(enough.resolve, MAX_IDLE_MS);
  stdout?.on('data', (text: Buffer) => {
    applied += text.toString().split('\n').length - 1;
    clearTimeout(idle);
    if (applied >= changes) enough.resolve();
    else idle = setTimeout(enough.resolve, MAX_IDLE_MS);
  });
  await enough.promise;
  clearTimeout(idle);
}

interface Consumer {
  /** Starts it and kills it at a random moment, so many times. */
  kill(times: number): Promise<void>;
  /** Runs it until it is at the newest position. */
  catchUp(library: Library): Promise<void>;
  /** What it has, as `chunksOf` returns it. */
  chunks(): readonly string[];
  applied(): number;
  counts(): { readonly killedAtWork: number; readonly doubled: number };
}

function createConsumer(server: string): Consumer {
  const file = join(temporaryDirectory(), 'consumer.db');
  let killedAtWork = 0;
  let doubled = 0;

  const read = <Row>(sql: string): Row[] => {
    const database = new DatabaseSync(file, { timeout: 10_000 });
    try {
      return database.prepare(sql).all() as Row[];
    } finally {
      database.close();
    }
  };
  const applied = (): number => read<{ n: number }>('select count(*) as n from seen')[0]?.n ?? 0;

  async function start(delayMs: number): Promise<ChildProcess> {
    const env = {
      ...process.env,
      ...COMPILED,
      CONSUMER_DB: file,
      CONSUMER_SERVER: server,
      CONSUMER_DELAY_MS: String(delayMs),
    };
    const child = spawn(process.execPath, [fileURLToPath(CONSUMER)], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stderr.on('data', (text: Buffer) => {
      if (text.toString().includes('UNIQUE constraint failed: seen')) doubled += 1;
    });
    await once(child.stdout, 'data');
    return child;
  }

  async function end(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  return {
    async kill(times) {
      for (let i = 0; i < times; i += 1) {
        const child = await start(DELAY_MS);
        const before = applied();
        // Most of them at work, however long an answer takes; the others at any time before.
        if (Math.random() < 0.8) await untilApplied(child, 1 + Math.floor(Math.random() * MAX_CHANGES));
        else await wait(Math.random() * MAX_LIFE_MS);
        await end(child);
        if (applied() > before) killedAtWork += 1;
      }
    },
    async catchUp(library) {
      const child = await start(0);
      const { position } = await library.call('list_changes', { since: 'now' });
      const exists = (): boolean => read<{ position: string }>('select position from cursor')[0]?.position === position;
      await waitUntil('the consumer has caught up', exists, 120_000).finally(() => end(child));
    },
    chunks: () =>
      read<{ version_id: number; url: string; id: string }>('select version_id, url, id from chunks')
        .map(({ url, id }) => `${url} ${id}`)
        .toSorted(),
    applied,
    counts: () => ({ killedAtWork, doubled }),
  };
}

/** All chunks of the library, by their page. */
async function chunksOf(library: Library): Promise<readonly string[]> {
  if ((await library.sources.list()).length === 0) return [];
  const chunks = await Array.fromAsync(library.chunks({ source: SOURCE, pageLimit: 100 }));
  return chunks.map(({ url, id }) => `${url} ${id}`).toSorted();
}

interface Site {
  readonly url: string;
  /** Changes every third page, removes every fifth and adds some. */
  mutate(): void;
  close(): void;
}

async function createSite(pages: number): Promise<Site> {
  let isMutated = false;
  const count = (): number => pages + (isMutated ? Math.ceil(pages / 10) : 0);
  const isGone = (i: number): boolean => isMutated && i % 5 === 4;
  const paragraph = (i: number): string =>
    `<p>Part ${i} of the manual, edition ${isMutated && i % 3 === 0 ? 'two' : 'one'}, says at some length what part ${i} is for, how it is set up and what it costs.</p>`;
  const server = createServer((request, response) => {
    const found = /^\/docs\/(\d+)?$/.exec(request.url ?? '');
    const i = Number(found?.[1] ?? -1);
    if (found === null || i >= count() || isGone(i)) return response.writeHead(404).end();
    const links = Array.from({ length: count() }, (_, n) => n).filter((n) => !isGone(n));
    const body = i < 0 ? links.map((n) => `<p><a href="/docs/${n}">Part ${n}</a></p>`).join('') : paragraph(i);
    response.setHeader('content-type', 'text/html');
    return response.end(`<!doctype html><title>Part ${i}</title><main><h1>Part ${i}</h1>${body}</main>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs/`,
    mutate: () => void (isMutated = true),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function runSqlite(file: string, sql: string): void {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec(sql);
  database.close();
}

async function runPostgres(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql);
  await client.end();
}
