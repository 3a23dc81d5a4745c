// node bench/crawl/queue-events.ts [--pages 20000] [--rounds 3]: what the events `enqueued` and `dequeued` cost: the same generated site
// is crawled with and without them, alternately, each into a new library. Needs `npm run build`.
//
// CPU time of the whole process; the cheapest round of each counts, and all are kept. Bytes are those of the closed database.

import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createSiteServer } from '../../test/support/generated-site.ts';
import { temporaryDirectory } from '../../test/support/temporary-folder.ts';
import { crawlArgs, crawlEnv } from '../support/crawl-program.ts';
import { watch } from '../support/watch-process.ts';
import { writeResult } from '../support/write-result.ts';

const { values } = parseArgs({
  options: { pages: { type: 'string', default: '20000' }, rounds: { type: 'string', default: '3' } },
});
const [pages, rounds] = [Number(values.pages), Number(values.rounds)];
const MAX_RATIO = 1.08;

const MODES = { all: String(10 * pages), none: '0' } as const;
type Mode = keyof typeof MODES;

interface Cost {
  readonly urls: number;
  readonly cpuMsPerUrl: number;
  readonly bytesPerUrl: number;
}

const site = await createSiteServer({ size: pages });

async function crawl(mode: Mode): Promise<Cost> {
  const directory = temporaryDirectory();
  const env = { ...crawlEnv(directory), PINAKES_CRAWL_QUEUE_EVENT_MAX_URLS: MODES[mode] };
  const checkout = join(import.meta.dirname, '../..');
  const { answer, cpuMs } = await watch(crawlArgs(checkout, site.start, 'basic'), env);
  const { state, counts } = JSON.parse(answer) as { state: string; counts: { found: number } };
  if (state !== 'completed' || counts.found < pages)
    throw new Error(`the crawl ended as ${state}: ${answer.slice(0, 500)}`);
  const { size } = statSync(join(directory, 'pinakes.db'));
  rmSync(directory, { recursive: true });
  return {
    urls: counts.found,
    cpuMsPerUrl: Math.round((cpuMs / counts.found) * 1000) / 1000,
    bytesPerUrl: Math.round(size / counts.found),
  };
}

const costs: Record<Mode, Cost[]> = { all: [], none: [] };
for (let nth = 0; nth < rounds; nth += 1)
  for (const mode of nth % 2 === 0 ? (['all', 'none'] as const) : (['none', 'all'] as const)) {
    costs[mode].push(await crawl(mode));
    console.error(mode, costs[mode].at(-1));
  }
await site.close();

const cheapest = (mode: Mode): number => Math.min(...costs[mode].map(({ cpuMsPerUrl }) => cpuMsPerUrl));
writeResult('queue-events', {
  pages,
  costs,
  cpuRatio: Math.round((cheapest('all') / cheapest('none')) * 1000) / 1000,
  maxRatio: MAX_RATIO,
  eventBytesPerUrl: (costs.all[0]?.bytesPerUrl ?? 0) - (costs.none[0]?.bytesPerUrl ?? 0),
});
