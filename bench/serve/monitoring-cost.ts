// node bench/serve/monitoring-cost.ts FORMER [--pages 1000] [--searches 2000] [--rounds 3]: CPU time of a server that crawls a site and
// answers searches over HTTP, of a former checkout and of this one, alternately; and of this one without gzip and without the request log.
//
// FORMER is another checkout with its packages installed. Both need `npm run build`. The cheapest round of each counts, and all are kept.

import { rmSync } from 'node:fs';
import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cpuSecondsOf } from '../../test/support/cpu-seconds.ts';
import { createSiteServer } from '../../test/support/generated-site.ts';
import { temporaryDirectory } from '../../test/support/temporary-folder.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { writeResult } from '../support/write-result.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string', default: '1000' },
    searches: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
  },
});
const [former] = positionals;
if (former === undefined) throw new Error('usage: node bench/serve/monitoring-cost.ts FORMER');
const [pages, searches, rounds] = [Number(values.pages), Number(values.searches), Number(values.rounds)];

const here = join(import.meta.dirname, '../..');

interface Variant {
  readonly checkout: string;
  readonly encoding: 'gzip' | 'identity';
  readonly logLevel: 'info' | 'warn';
}

const VARIANTS = {
  former: { checkout: former, encoding: 'gzip', logLevel: 'info' },
  current: { checkout: here, encoding: 'gzip', logLevel: 'info' },
  withoutGzip: { checkout: here, encoding: 'identity', logLevel: 'info' },
  withoutGzipAndLog: { checkout: here, encoding: 'identity', logLevel: 'warn' },
} as const satisfies Record<string, Variant>;
type VariantName = keyof typeof VARIANTS;
const names = Object.keys(VARIANTS) as VariantName[];

interface Cost {
  readonly crawlMsPerPage: number;
  readonly searchMs: number;
}

interface RunState {
  readonly state?: string;
  readonly counts?: { readonly new: number };
  readonly isSearchable: boolean;
}

/** Asks once a second, so that the questions cost little. */
async function hasEnded(readRun: () => Promise<RunState>): Promise<boolean> {
  await wait(1000);
  const { state, isSearchable } = await readRun();
  return state === 'completed' && isSearchable;
}

const site = await createSiteServer({ size: pages });

async function costOf({ checkout, encoding, logLevel }: Variant): Promise<Cost> {
  const directory = temporaryDirectory();
  const env = {
    ...process.env,
    PINAKES_DATA_DIR: directory,
    PINAKES_SERVE_PORT: '0',
    PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
    PINAKES_CRAWL_START_DELAY_MS: '0',
    PINAKES_LOG_LEVEL: logLevel,
  };
  const server = spawn(process.execPath, [join(checkout, 'dist/program/main.js'), 'serve'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  let said = '';
  server.stderr.on('data', (data: Buffer) => (said += said.includes('listening on') ? '' : String(data)));
  try {
    await waitUntil('the server listens', () => /listening on http\S+\s/.test(said));
    const url = /listening on (\S+)/.exec(said)?.[1] ?? '';
    const pid = server.pid ?? 0;
    const beforeCrawl = cpuSecondsOf(pid) * 1000;
    const body = JSON.stringify({ url: site.start, name: 'almanac' });
    await fetch(`${url}/api/sources`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const readRun = async (): Promise<RunState> => {
      const { runs, isSearchable } = (await (await fetch(`${url}/api/runs/1?brief=true`)).json()) as {
        runs: Array<{ state: string; counts: { new: number } }>;
        isSearchable: boolean;
      };
      return { ...runs[0], isSearchable };
    };
    await waitUntil('the run ends', () => hasEnded(readRun), 300_000);
    const stored = (await readRun()).counts?.new ?? 0;
    const beforeSearches = cpuSecondsOf(pid) * 1000;
    for (let nth = 0; nth < searches; nth += 1) {
      const answer = await fetch(`${url}/api/search?query=guide+page+${nth % 97}`, {
        headers: { 'accept-encoding': encoding },
      });
      if (answer.status !== 200) throw new Error(`status ${answer.status}`);
      await answer.arrayBuffer();
    }
    const crawlMsPerPage = (beforeSearches - beforeCrawl) / stored;
    return {
      crawlMsPerPage: round(crawlMsPerPage),
      searchMs: round((cpuSecondsOf(pid) * 1000 - beforeSearches) / searches),
    };
  } finally {
    server.kill('SIGTERM');
    await ended;
    rmSync(directory, { recursive: true });
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

const costs: Record<VariantName, Cost[]> = { former: [], current: [], withoutGzip: [], withoutGzipAndLog: [] };
for (let nth = 0; nth < rounds; nth += 1) {
  for (const name of names) {
    costs[name].push(await costOf(VARIANTS[name]));
    console.error(name, costs[name].at(-1));
  }
}
await site.close();

const cheapest = (name: VariantName, measurement: keyof Cost): number =>
  Math.min(...costs[name].map((cost) => cost[measurement]));
const ratio = (measurement: keyof Cost): number =>
  round(cheapest('current', measurement) / cheapest('former', measurement));
writeResult('monitoring-cost', {
  former: execFileSync('git', ['-C', former, 'rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim(),
  pages,
  searches,
  costs,
  cheapest: Object.fromEntries(
    names.map((name) => [
      name,
      { crawlMsPerPage: cheapest(name, 'crawlMsPerPage'), searchMs: cheapest(name, 'searchMs') },
    ]),
  ),
  ratioOfCrawl: ratio('crawlMsPerPage'),
  ratioOfSearch: ratio('searchMs'),
});
