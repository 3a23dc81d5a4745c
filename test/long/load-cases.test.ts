// The listed load cases at full length, with their measurements.

import { afterAll, expect, test } from 'vitest';
import { flood } from '../robustness/load/http-flood.ts';
import { enqueueRepeatedLinks } from '../robustness/load/repeated-links.ts';
import { crawlNextToTarpit } from '../robustness/load/noisy-neighbour.ts';
import { startAndStop } from '../robustness/load/start-stop.ts';
import { openTestPostgres, openTestSqlite } from '../support/stores.ts';
import { writeResult } from '../support/write-result.ts';

/** Runs a share of the load, for a shorter run. */
const SHARE = Number(process.env['LOAD_SHARE'] ?? 1);
const results: Record<string, unknown> = { share: SHARE };
afterAll(() => writeResult('load-cases', results));

test.each([
  ['sqlite', openTestSqlite],
  ['postgres', openTestPostgres],
] as const)('L07: %s: ten million links are fifty thousand rows', async (engine, open) => {
  const opened = await open();
  const seen = await enqueueRepeatedLinks(opened, Math.round(50_000 * SHARE), 200);
  await opened.close();
  results[`L07 ${engine}`] = seen;
  expect(seen.rows).toBe(seen.pages);
  expect(seen.seconds).toBeLessThan(900 * SHARE);
});

test('L11: twenty hosts lose less than 5 % to one that never responds', async () => {
  const neighbours = await crawlNextToTarpit(20, 50);
  results['L11'] = neighbours;
  expect(neighbours.besideMs / neighbours.aloneMs).toBeLessThan(1.05);
});

test('L13: a server is started and stopped a thousand times', async () => {
  const cycles = await startAndStop(Math.round(1000 * SHARE));
  results['L13'] = cycles;
  expect(cycles.failed).toBe(0);
  expect(cycles.startP95Ms).toBeLessThan(2000);
});

test('L14: a thousand requests a second without a token cost less than a millisecond each', async () => {
  const flooded = await flood(1000, Math.round(300 * SHARE));
  results['L14'] = flooded;
  expect(Object.keys(flooded.answers).every((status) => status === '401' || status === '429')).toBe(true);
  expect(flooded.serverMsEach).toBeLessThan(1);
  expect(flooded.healthP95Ms).toBeLessThan(100);
});
