// Loads of the list in their long form, each with its figures.

import { afterAll, expect, test } from 'vitest';
import { flood } from '../load/http-flood.ts';
import { seeLinks } from '../load/repeated-links.ts';
import { besideTarpit } from '../load/noisy-neighbour.ts';
import { startAndStop } from '../load/start-stop.ts';
import { openTestPostgres, openTestSqlite } from '../support/stores.ts';
import { writeResult } from './write-result.ts';

/** A part of the load, for a machine that has no half hour. */
const SHARE = Number(process.env['LOAD_SHARE'] ?? 1);
const figures: Record<string, unknown> = { share: SHARE };
afterAll(() => writeResult('load-cases', figures));

test.each([
  ['sqlite', openTestSqlite],
  ['postgres', openTestPostgres],
] as const)('L07: %s: ten million sightings of links are fifty thousand rows', async (engine, open) => {
  const opened = await open();
  const seen = await seeLinks(opened, Math.round(50_000 * SHARE), 200);
  await opened.close();
  figures[`L07 ${engine}`] = seen;
  expect(seen.rows).toBe(seen.pages);
  expect(seen.seconds).toBeLessThan(900 * SHARE);
});

test('L11: twenty hosts lose less than a twentieth beside one that never answers', async () => {
  const neighbours = await besideTarpit(20, 50);
  figures['L11'] = neighbours;
  expect(neighbours.besideMs / neighbours.aloneMs).toBeLessThan(1.05);
});

test('L13: a server is started and stopped a thousand times', async () => {
  const cycles = await startAndStop(Math.round(1000 * SHARE));
  figures['L13'] = cycles;
  expect(cycles.failed).toBe(0);
  expect(cycles.startP95Ms).toBeLessThan(2000);
});

test('L14: a thousand requests a second without a token cost less than a millisecond each', async () => {
  const flooded = await flood(1000, Math.round(300 * SHARE));
  figures['L14'] = flooded;
  expect(Object.keys(flooded.answers).every((status) => status === '401' || status === '429')).toBe(true);
  expect(flooded.serverMsEach).toBeLessThan(1);
  expect(flooded.healthP95Ms).toBeLessThan(100);
});
