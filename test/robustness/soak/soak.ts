// A mixed load for a given time: good and hostile sources are crawled, searched, exported and followed while the server and the worker are
// killed. Afterwards nothing is lost, and memory, descriptors, processes and temporary files are what they were.

import { globSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { libraryProblems, storedSources, type Query } from '../failover/library-problems.ts';
import { startLoadedLibrary, wordOf } from '../failover/loaded-library.ts';
import { docPage, startDocSite, type DocSite } from '../../support/scripted-site.ts';
import { createDatabase } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';

export interface SoakOptions {
  readonly seconds: number;
  readonly killEverySeconds: number;
}

/** All processes of the program together, at one moment. */
export interface SoakSample {
  readonly atSeconds: number;
  readonly residentMb: number;
  readonly descriptors: number;
  /** With those that they started. */
  readonly processes: number;
  readonly temporaryFiles: number;
}

export interface SoakResult {
  readonly seconds: number;
  readonly kills: number;
  readonly searches: number;
  readonly exports: number;
  readonly exportedBytes: number;
  readonly recrawls: number;
  readonly hostileRequests: number;
  readonly goodRequests: number;
  readonly acknowledged: number;
  readonly acknowledgedLost: number;
  /** Searches and exports that failed while no process had been killed within the last seconds. */
  readonly failedWithoutKill: number;
  readonly samples: readonly SoakSample[];
  /** How runs ended, and how many did so. */
  readonly runs: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

const LIVE = `select (select count(*) from runs where ended_at is null) + (select count(*) from index_queue) as n`;
const ENDS = `select state || coalesce(': ' || reason, '') as how, count(*) as n from runs group by 1 order by 2 desc limit 20`;
const SAMPLE_MS = 2000;
/** A killed server is started again within this time, on a machine that does other work as well. */
const RESTART_MS = 20_000;
/** No measure: a machine that does other work takes long. */
const WITHIN_MS = 900_000;
const MB = 1_048_576;
const PAGE_BYTES = 4096;

export async function soak({ seconds, killEverySeconds }: SoakOptions): Promise<SoakResult> {
  const database = await createDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  // The database is dropped while a connection may still be closing.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  const query: Query = async <Row extends object>(sql: string) => (await pool.query<Row>(sql)).rows;
  const temporary = temporaryDirectory();
  const hostile = await startHostileSite();
  const load = await startLoadedLibrary(database.url, undefined, { TMPDIR: temporary });
  try {
    await load.client.add({ url: `${hostile.origin}/start`, name: 'hostile', maxPages: 200 });
    const counts = { kills: 0, searches: 0, exports: 0, exportedBytes: 0, recrawls: 0, failedWithoutKill: 0 };
    const samples: SoakSample[] = [];
    const began = performance.now();
    const elapsed = (): number => (performance.now() - began) / 1000;
    let killedAt = -Infinity;
    const end = began + seconds * 1000;
    const isOver = (): boolean => performance.now() >= end;
    const sample = (): void =>
      void samples.push({ atSeconds: Math.round(elapsed()), ...measure(load.pids(), temporary) });

    /** Repeats it until the end; what fails while a process is away does not count. */
    async function repeat(pauseMs: number, work: () => Promise<void>): Promise<void> {
      while (!isOver()) {
        await work().catch(() => {
          if (performance.now() - killedAt > RESTART_MS) counts.failedWithoutKill += 1;
        });
        await wait(pauseMs);
      }
    }

    await Promise.all([
      repeat(50, async () => {
        const known = load.acknowledged.at(Math.floor(Math.random() * load.acknowledged.length));
        await load.client.search({
          query: known === undefined ? 'page' : wordOf(Number(known.source.slice('note-'.length))),
        });
        counts.searches += 1;
      }),
      repeat(1000, async () => {
        for await (const part of load.client.export('site')) counts.exportedBytes += part.length;
        counts.exports += 1;
      }),
      repeat(3000, async () => {
        const [row] = await query<{ n: string }>(`select count(*) as n from runs where ended_at is null`);
        if (Number(row?.n) > 2) return;
        for (const source of ['site', 'hostile']) await load.client.recrawl(source);
        counts.recrawls += 1;
      }),
      repeat(SAMPLE_MS, async () => sample()),
      repeat(killEverySeconds * 1000, async () => {
        if (elapsed() < killEverySeconds) return;
        killedAt = performance.now();
        load.kill(counts.kills % 2 === 0 ? 'worker' : 'serve');
        counts.kills += 1;
      }),
    ]);
    await load.stopAdding();
    await waitUntil('all runs have ended and are indexed', () => isIdle(query), WITHIN_MS);
    sample();
    const sources = await storedSources(query);
    const ends = await query<{ how: string; n: string }>(ENDS);
    const problems = await untilAnswered(() => libraryProblems(load, query));
    return {
      seconds,
      ...counts,
      hostileRequests: hostile.requests.length,
      goodRequests: load.site.requests.length,
      acknowledged: load.acknowledged.length,
      acknowledgedLost: load.acknowledged.filter(({ source }) => !sources.has(source)).length,
      samples,
      runs: Object.fromEntries(ends.map(({ how, n }) => [how, Number(n)])),
      problems,
    };
  } finally {
    await load.close();
    await hostile.close();
    await pool.end();
    await database.drop();
  }
}

async function isIdle(query: Query): Promise<boolean> {
  const [row] = await query<{ n: string }>(LIVE);
  return row?.n === '0';
}

/** The server may have been killed right before. */
async function untilAnswered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch {
    await wait(RESTART_MS);
    return work();
  }
}

/** A site that resets connections, fails, is slow, sends what is not a page, and links to more pages without end. */
function startHostileSite(): Promise<DocSite> {
  let nth = 0;
  return startDocSite({}, (request, response) => {
    nth += 1;
    const links = Array.from({ length: 40 }, (_, link) => `/${nth}/${link}?session=${nth * link}`);
    switch (request.url === '/start' || request.url === '/robots.txt' ? -1 : nth % 6) {
      case 0:
        return void response.destroy();
      case 1:
        return void response.writeHead(503, { 'retry-after': '1' }).end();
      case 2:
        return void setTimeout(() => response.destroy(), 3000);
      case 3:
        return void response.writeHead(200, { 'content-type': 'application/pdf' }).end(Buffer.alloc(100_000, nth));
      case 4:
        return void response.writeHead(200, { 'content-type': 'text/html' }).end('<div>'.repeat(100_000));
      default:
        response.setHeader('content-type', 'text/html; charset=utf-8');
        return void response.end(request.url === '/robots.txt' ? '' : docPage(`page ${nth}`, links));
    }
  });
}

function measure(pids: readonly number[], temporary: string): Omit<SoakSample, 'atSeconds'> {
  const all = withDescendants(pids);
  return {
    residentMb: Math.round(sum(all, residentBytes) / MB),
    descriptors: sum(all, (pid) => readdirSync(`/proc/${pid}/fd`).length),
    processes: all.length,
    temporaryFiles: readdirSync(temporary, { recursive: true }).length,
  };
}

function residentBytes(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
}

/** A process may end while it is looked at. */
function sum(pids: readonly number[], of: (pid: number) => number): number {
  return pids.reduce((total, pid) => {
    try {
      return total + of(pid);
    } catch {
      return total;
    }
  }, 0);
}

function withDescendants(pids: readonly number[]): readonly number[] {
  const parents = new Map<number, number>();
  for (const file of globSync('/proc/[0-9]*/stat')) {
    try {
      const stat = readFileSync(file, 'utf8');
      parents.set(Number.parseInt(stat), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // It has ended.
    }
  }
  const found = new Set(pids);
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.add(child);
  return [...found];
}

/** The maximum of a field in the first and in the last third of the samples. */
export function growth(samples: readonly SoakSample[], field: keyof SoakSample): { first: number; last: number } {
  const third = Math.ceil(samples.length / 3);
  const most = (some: readonly SoakSample[]): number => Math.max(...some.map((sample) => sample[field]));
  return { first: most(samples.slice(0, third)), last: most(samples.slice(-third)) };
}
