// Compares crawls without a plan with those of a previous build, which had none: their queue events must be the same, and the CPU time of
// whole processes is compared in alternating pairs.
//
//   node bench/crawl/unplanned-cost.ts PREVIOUS [--pairs 10] [--pages 300]
//
// PREVIOUS is another checkout with its packages installed. Both run from their sources, with a warm compile cache.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs, promisify } from 'node:util';
import { createSiteServer } from '../../test/support/generated-site.ts';
import { crawlEnv, pagesCrawled } from '../support/crawl-program.ts';
import { childrenCpuMs } from '../support/processor-time.ts';
import { writeResult } from '../support/write-result.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pairs: { type: 'string', default: '10' }, pages: { type: 'string', default: '300' } },
});
const [previous = ''] = positionals;
const builds = { previous, current: join(import.meta.dirname, '../..') } as const;

const cache = mkdtempSync(join(tmpdir(), 'pinakes-compiled-'));

interface Measured {
  readonly cpuMs: number;
  readonly pages: number;
  readonly events: string;
}

/** One URL after another, so that the order of events does not depend on which response was first. */
async function crawl(checkout: string, start: string): Promise<Measured> {
  const directory = mkdtempSync(join(tmpdir(), 'pinakes-unplanned-'));
  const env = {
    ...crawlEnv(directory),
    NODE_COMPILE_CACHE: cache,
    PINAKES_CRAWL_CONCURRENCY: '1',
    PINAKES_CRAWL_MIN_DELAY_MS: '0',
  };
  const before = childrenCpuMs();
  const args = [join(checkout, 'src/main.ts'), 'add', start, '--wait', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, maxBuffer: 2 ** 28 });
  const cpuMs = childrenCpuMs() - before;
  const events = eventsOf(directory);
  rmSync(directory, { recursive: true });
  return { cpuMs, pages: pagesCrawled(stdout), events };
}

const QUEUE_KINDS = ['enqueued', 'dequeued', 'retry', 'drop', 'new', 'moved', 'skipped', 'not-found', 'failed'];

function eventsOf(directory: string): string {
  const database = new DatabaseSync(join(directory, 'pinakes.db'), { readOnly: true });
  const marks = QUEUE_KINDS.map(() => '?').join(', ');
  const rows = database
    .prepare(`select kind, url, json_extract(detail, '$.depth') as depth, json_extract(detail, '$.reason') as reason
       from events where kind in (${marks}) order by seq`)
    .all(...QUEUE_KINDS);
  database.close();
  return rows.map(({ kind, url, depth, reason }) => [kind, url, depth, reason].join(' ')).join('\n');
}

const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
};

const site = await createSiteServer({ size: Number(values.pages) });
for (const checkout of Object.values(builds)) await crawl(checkout, site.start);
const ratios: number[] = [];
let [pages, events, areEqual] = [0, 0, true];
for (let pair = 0; pair < Number(values.pairs); pair += 1) {
  const order = pair % 2 === 0 ? (['previous', 'current'] as const) : (['current', 'previous'] as const);
  const measured = { previous: null, current: null } as Record<keyof typeof builds, Measured | null>;
  for (const name of order) measured[name] = await crawl(builds[name], site.start);
  const [was, now] = [measured.previous!, measured.current!];
  ratios.push(Math.round((now.cpuMs / was.cpuMs) * 1000) / 1000);
  areEqual &&= was.events === now.events;
  [pages, events] = [now.pages, now.events.split('\n').length];
  process.stderr.write(`${was.cpuMs} ${now.cpuMs} ${was.events === now.events}\n`);
}
await site.close();
rmSync(cache, { recursive: true });
writeResult('unplanned-cost', { pages, events, areEqual, median: median(ratios), ratios });
