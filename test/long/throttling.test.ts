// Sites with throttled pages, crawled with the default delays by the real program.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLibrary } from '../support/library.ts';
import { PAGES, startThrottledSite, type Throttling } from '../feature/crawl/throttled-site.ts';
import { writeResult } from '../support/write-result.ts';

interface CrawlTimes {
  readonly state: string;
  readonly reason: string | null;
  readonly stored: number;
  /** From the start of the run to the last page that was stored. */
  readonly storedAfterSeconds: number | null;
  readonly endedAfterSeconds: number;
}

const SITES: readonly Throttling[] = ['none', 'one-429', 'one-503', 'all-429'];
const results: Partial<Record<Throttling, CrawlTimes>> = {};

async function measure(throttling: Throttling): Promise<CrawlTimes> {
  const site = await startThrottledSite(throttling);
  const library = await createLibrary('sqlite', { PINAKES_CRAWL_START_DELAY_MS: '1000' });
  try {
    await library.run('add', `${site.origin}/docs/`, '--wait');
    return await library.read(async (store) => {
      const [run] = await store.runs.list(1);
      if (run?.startedAt == null || run.endedAt === null) throw new Error('the run has not ended');
      const from = run.startedAt.getTime();
      const seconds = (at: Date): number => Math.round((at.getTime() - from) / 100) / 10;
      const events = await store.journal.after(0, 100_000, run.id);
      const last = events.filter(({ kind }) => kind === 'new').at(-1);
      return {
        state: run.state,
        reason: run.reason,
        stored: run.counts.new,
        storedAfterSeconds: last === undefined ? null : seconds(last.at),
        endedAfterSeconds: seconds(run.endedAt),
      };
    });
  } finally {
    await library.remove();
    await site.close();
  }
}

/** All at once, so that whatever else the machine does slows them alike. */
beforeAll(async () => {
  await Promise.all(SITES.map(async (throttling) => (results[throttling] = await measure(throttling))));
}, 900_000);

test.each(SITES)('throttling: %s', (throttling) => {
  const times = results[throttling]!;
  expect(times.endedAfterSeconds).toBeLessThan(600);
  if (throttling === 'all-429') return expect(times.state).toBe('failed');
  if (throttling === 'none') return expect(times).toMatchObject({ state: 'completed', stored: PAGES });
  expect(times).toMatchObject({ state: 'partial', stored: PAGES - 1 });
  expect(times.storedAfterSeconds!).toBeLessThan(1.3 * results.none!.storedAfterSeconds!);
});

afterAll(() => writeResult('throttling', { pages: PAGES, sites: results }));
