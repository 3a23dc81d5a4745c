import { expect, test } from 'vitest';
import { createRequestRates } from './request-rates.ts';

test('a source has a burst for each host, then one request per delay, whatever other sources do (finding V09)', () => {
  let now = 0;
  const rates = createRequestRates({ delayMs: 200, nowMs: () => now });
  const taken = (source: string, host: string): number => {
    let count = 0;
    while (count < 1000 && rates.takeOrWaitMs(source, host) === 0) count += 1;
    return count;
  };
  expect(taken('one', 'api.test')).toBe(50);
  expect(rates.takeOrWaitMs('one', 'api.test')).toBe(200);
  expect(taken('one', 'cdn.test')).toBe(50);
  expect(taken('two', 'api.test')).toBe(50);
  now += 1000;
  expect(taken('one', 'api.test')).toBe(5);
  rates.giveBack('one', 'api.test');
  expect(taken('one', 'api.test')).toBe(1);
  now += 3_600_000;
  expect(taken('one', 'api.test')).toBe(50);
});

test('without a delay nothing waits', () => {
  const rates = createRequestRates({ delayMs: 0, nowMs: () => 0 });
  for (let nth = 0; nth < 200; nth += 1) expect(rates.takeOrWaitMs('one', 'api.test')).toBe(0);
});
