import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { Env } from './auth-middleware.ts';
import { shedOnLowMemory, shedVerdict } from './load-shedder.ts';

const MB = 2 ** 20;
/** As with `--max-old-space-size=256`. */
const idle = { inFlight: 0, usedBytes: 60 * MB, heapLimitBytes: 448 * MB };

test('a request is admitted below the limits', () => {
  expect(shedVerdict(idle, 10)).toEqual({ admit: true });
  expect(shedVerdict({ ...idle, inFlight: 9 }, 10)).toEqual({ admit: true });
});

test('a request above the in-flight limit is shed', () => {
  expect(shedVerdict({ ...idle, inFlight: 10 }, 10)).toEqual({ admit: false, reason: 'requests' });
});

test('every request is shed when the heap is nearly full', () => {
  expect(shedVerdict({ ...idle, usedBytes: 190 * MB }, 10)).toEqual({ admit: true });
  expect(shedVerdict({ ...idle, usedBytes: 193 * MB }, 10)).toEqual({ admit: false, reason: 'memory' });
});

test('with a small young generation, half of the heap limit counts', () => {
  expect(shedVerdict({ ...idle, heapLimitBytes: 200 * MB }, 10)).toEqual({ admit: true });
  expect(shedVerdict({ ...idle, heapLimitBytes: 150 * MB }, 10)).toEqual({ admit: false, reason: 'memory' });
});

test('monitoring is answered while memory is low, at both paths of the activity', async () => {
  const app = new Hono<Env>();
  const checkMemory = (): never => {
    throw new Error('overloaded');
  };
  const shedder = { checkMemory, enter: () => () => undefined, inFlight: () => 0, shed: () => 0 };
  app.use(shedOnLowMemory(shedder)).get('*', (c) => c.text('ok'));
  app.onError((_, c) => c.text('overloaded', 503));
  const statusOf = async (path: string): Promise<number> => (await app.request(path)).status;
  for (const path of ['/healthz', '/readyz', '/metrics', '/health', '/api/activity'])
    expect([path, await statusOf(path)]).toEqual([path, 200]);
  expect(await statusOf('/api/sources')).toBe(503);
});
