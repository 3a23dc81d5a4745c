// A mixed load for a given time: good and hostile sources are crawled, searched, exported and followed while the server and the worker are
// killed. Afterwards nothing is lost, and memory, descriptors, processes and temporary files are what they were.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { PinakesError } from '../../../src/client/index.ts';
import { libraryProblems, storedSources, type Query } from '../failover/library-problems.ts';
import { startLoadedLibrary, wordOf } from '../failover/loaded-library.ts';
import type { Settings } from '../../support/program.ts';
import { createDatabase } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { measureProcesses, type ProcessSample } from './process-sample.ts';
import { problemOfRestoredCopy } from './restored-copy.ts';
import { GOOD_PAGES, GOOD_START, SCRIPTED_START, startSoakSites } from './soak-sites.ts';

export interface SoakOptions {
  readonly seconds: number;
  readonly killEverySeconds: number;
  readonly restoreEverySeconds: number;
  /** Whether a good source is crawled once more at the end, alone. */
  readonly measuresRate?: boolean;
}

export interface SoakSample extends ProcessSample {
  readonly atSeconds: number;
}

export interface SoakResult {
  readonly seconds: number;
  readonly kills: number;
  readonly searches: number;
  readonly exports: number;
  readonly exportedBytes: number;
  readonly recrawls: number;
  /** Copies of the database that were restored and verified. */
  readonly restores: number;
  readonly hostileRequests: number;
  readonly scriptedRequests: number;
  /** Pages per minute of a good source, as a share of what it reaches alone; a run that a kill interrupted counts as well. */
  readonly good: {
    readonly pagesPerMinuteAlone: number;
    readonly runs: number;
    readonly share: number;
    readonly leastShare: number;
  } | null;
  readonly acknowledged: number;
  readonly acknowledgedLost: number;
  /** Calls that failed while no process had been killed within the last seconds: why, and how many. */
  readonly failedWithoutKill: Readonly<Record<string, number>>;
  readonly samples: readonly SoakSample[];
  /** How runs ended, and how many did so. */
  readonly runs: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

const LIVE = `select (select count(*) from runs where ended_at is null) + (select count(*) from index_queue) as n`;
const ENDS = `select state || coalesce(': ' || reason, '') as how from runs`;
/** A browser, and as many requests at a time as a worker makes by default. */
const SETTINGS: Settings = { PINAKES_RENDER_SANDBOX: 'off', PINAKES_CRAWL_CONCURRENCY: '16' };
const GOOD_PER_SECOND = 2;
const SAMPLE_MS = 2000;
/** A killed server is started again within this time, on a machine that does other work as well. */
const RESTART_MS = 20_000;
/** No measure: a machine that does other work takes long. */
const WITHIN_MS = 900_000;

export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { seconds, killEverySeconds, restoreEverySeconds, measuresRate = false } = options;
  const database = await createDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  // The database is dropped while a connection may still be closing.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  const query: Query = async <Row extends object>(sql: string) => (await pool.query<Row>(sql)).rows;
  const temporary = temporaryDirectory();
  const sites = await startSoakSites();
  const load = await startLoadedLibrary(database.url, undefined, {
    TMPDIR: temporary,
    PINAKES_RENDER_BROWSER: unprivilegedBrowser(),
    ...SETTINGS,
  });
  try {
    await load.client.add({ url: sites.good.origin + GOOD_START, name: 'good', requestsPerSecond: GOOD_PER_SECOND });
    await load.client.add({ url: `${sites.hostile.origin}/`, name: 'hostile', maxPages: 40 });
    await load.client.add({ url: sites.scripted.origin + SCRIPTED_START, name: 'scripted', render: 'always' });
    const counts = { kills: 0, searches: 0, exports: 0, exportedBytes: 0, recrawls: 0, restores: 0 };
    const failedWithoutKill: Record<string, number> = {};
    const restoredProblems: string[] = [];
    const samples: SoakSample[] = [];
    const began = performance.now();
    const elapsed = (): number => (performance.now() - began) / 1000;
    let killedAt = -Infinity;
    const end = began + seconds * 1000;
    const isOver = (): boolean => performance.now() >= end;
    const sample = (): void => void samples.push({ atSeconds: Math.round(elapsed()), ...measureProcesses(temporary) });

    /** Repeats it until the end; what fails while a process is away does not count. */
    async function repeat(pauseMs: number, what: string, work: () => Promise<void>): Promise<void> {
      while (!isOver()) {
        await work().catch((error: unknown) => {
          if (performance.now() - killedAt <= RESTART_MS) return;
          const code = error instanceof PinakesError ? error.code : String(error);
          // A promised answer: the source changed between two parts of the export.
          if (code === 'export.changed') return;
          failedWithoutKill[`${what}: ${code}`] = (failedWithoutKill[`${what}: ${code}`] ?? 0) + 1;
        });
        await wait(Math.min(pauseMs, Math.max(0, end - performance.now())));
      }
    }

    await Promise.all([
      repeat(50, 'search', async () => {
        const known = load.acknowledged.at(Math.floor(Math.random() * load.acknowledged.length));
        await load.client.search({
          query: known === undefined ? 'page' : wordOf(Number(known.source.slice('note-'.length))),
        });
        counts.searches += 1;
      }),
      repeat(1000, 'export', async () => {
        for await (const part of load.client.export('site')) counts.exportedBytes += part.length;
        counts.exports += 1;
      }),
      ...['site', 'hostile', 'scripted', 'good'].map((source) =>
        repeat(1000, `recrawl ${source}`, async () => {
          if (!(await isStored(query, source))) return;
          await load.client.recrawl(source);
          counts.recrawls += 1;
        }),
      ),
      repeat(SAMPLE_MS, 'sample', async () => sample()),
      repeat(killEverySeconds * 1000, 'kill', async () => {
        if (elapsed() < killEverySeconds) return;
        killedAt = performance.now();
        load.kill(counts.kills % 2 === 0 ? 'worker' : 'serve');
        counts.kills += 1;
      }),
      repeat(restoreEverySeconds * 1000, 'restore', async () => {
        const problem = await problemOfRestoredCopy(database.url);
        if (problem !== null) restoredProblems.push(problem);
        counts.restores += 1;
      }),
    ]);
    await load.stopAdding();
    await waitUntil('all runs have ended and are indexed', () => isIdle(query), WITHIN_MS);
    sample();
    if (measuresRate) {
      await untilAnswered(() => load.client.recrawl('good'));
      await waitUntil('the good source was crawled alone', () => isStored(query, 'good'), WITHIN_MS);
    }
    const sources = await storedSources(query);
    const problems = await untilAnswered(() => libraryProblems(load, query));
    return {
      seconds,
      ...counts,
      failedWithoutKill,
      good: measuresRate ? await rateOfGoodSource(query) : null,
      hostileRequests: sites.hostile.requests.length,
      scriptedRequests: sites.scripted.requests.length,
      acknowledged: load.acknowledged.length,
      acknowledgedLost: load.acknowledged.filter(({ source }) => !sources.has(source)).length,
      samples,
      runs: await endsOfRuns(query),
      problems: [...problems, ...restoredProblems],
    };
  } finally {
    await load.close();
    await sites.close();
    await pool.end();
    await database.drop();
  }
}

/** A browser of root gives itself a higher priority than that of everything else; one of any other user cannot. */
function unprivilegedBrowser(): string {
  const script = join(temporaryDirectory(), 'browser');
  writeFileSync(script, '#!/bin/sh\nexec setpriv --bounding-set=-sys_nice --inh-caps=-sys_nice chromium "$@"\n', {
    mode: 0o755,
  });
  return script;
}

/** Whether it has a run, and none that has not ended. */
async function isStored(query: Query, source: string): Promise<boolean> {
  const [row] = await query<{ n: string; live: string }>(
    `select count(*) as n, count(*) filter (where ended_at is null) as live from runs where source_id = (select id from sources where name = '${source}')`,
  );
  return row !== undefined && row.n !== '0' && row.live === '0';
}

/** How fast the good source was, run by run. */
async function rateOfGoodSource(query: Query): Promise<NonNullable<SoakResult['good']>> {
  const rows = await query<{ ms: string }>(
    `select ended_at - started_at as ms from runs where source_id = (select id from sources where name = 'good') order by id`,
  );
  // The first one discovers the site, the last one has the machine to itself.
  const runs = rows.slice(1, -1).map(({ ms }) => Number(ms));
  const alone = Number(rows.at(-1)?.ms);
  const shares = runs.map((ms) => alone / ms).toSorted((one, other) => one - other);
  const total = runs.reduce((sum, ms) => sum + ms, 0);
  return {
    pagesPerMinuteAlone: Math.round((GOOD_PAGES * 60_000) / alone),
    runs: runs.length,
    share: (alone * runs.length) / total,
    leastShare: shares[0] ?? 0,
  };
}

/** How runs ended, and how many did so; addresses and counts in reasons differ. */
async function endsOfRuns(query: Query): Promise<Readonly<Record<string, number>>> {
  const ends: Record<string, number> = {};
  for (const { how } of await query<{ how: string }>(ENDS)) {
    const kind = how.replaceAll(/https?:\S+|\(.*\)/g, '…').replaceAll(/\d+/g, 'n');
    ends[kind] = (ends[kind] ?? 0) + 1;
  }
  return ends;
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

/** The maximum of a field in the first and in the last third of the samples. */
export function growth(samples: readonly SoakSample[], field: keyof SoakSample): { first: number; last: number } {
  const third = Math.ceil(samples.length / 3);
  const most = (some: readonly SoakSample[]): number => Math.max(...some.map((sample) => sample[field]));
  return { first: most(samples.slice(0, third)), last: most(samples.slice(-third)) };
}
