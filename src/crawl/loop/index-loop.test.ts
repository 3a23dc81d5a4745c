import { expect, test, vi } from 'vitest';
import type { SearchIndex } from '../../index/port.ts';
import type { Wakeups } from '../../store/port/wakeups.ts';
import { indexLoop } from './index-loop.ts';

const SOURCES = 40;
const time = vi.hoisted(() => ({ ms: 0 }));

vi.mock('../../platform/clock.ts', () => ({
  monotonicMs: () => time.ms,
  sleepOrAbort: async (ms: number) => void (time.ms += ms),
}));

test('many sources with a page each are indexed without a delay after each of them', async () => {
  let waiting = SOURCES;
  const stop = new AbortController();
  const index: Partial<SearchIndex> = {
    async index() {
      waiting -= 1;
      if (waiting === 0) stop.abort();
      return 1;
    },
    // All pages were stored when the time began.
    lag: async () => ({ pages: waiting, ageMs: time.ms }),
    compact: async () => true,
  };
  await indexLoop(index as SearchIndex, { count: () => 0 } as Partial<Wakeups> as Wakeups, stop.signal);
  expect(waiting).toBe(0);
  expect(time.ms).toBeLessThan(3000);
});
