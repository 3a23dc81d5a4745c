// Short versions of the listed loads, for a busy machine, and the list itself. The long versions are `npm run test:load`.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCases } from '../../support/read-cases.ts';
import { openTestPostgres, openTestSqlite } from '../../support/stores.ts';
import { flood } from './http-flood.ts';
import { enqueueRepeatedLinks } from './repeated-links.ts';
import { OTHER_LOADS } from './other-loads.table.ts';
import { crawlNextToTarpit } from './noisy-neighbour.ts';
import { startAndStop } from './start-stop.ts';

test.each([
  ['sqlite', openTestSqlite],
  ['postgres', openTestPostgres],
] as const)('L07: %s: a URL is one row, however often it is seen', async (_, open) => {
  const opened = await open();
  const { rows, pages } = await enqueueRepeatedLinks(opened, 500, 100);
  await opened.close();
  expect(rows).toBe(pages);
});

test('L11: a host that never responds does not delay the others', { timeout: 120_000 }, async () => {
  const { aloneMs, besideMs } = await crawlNextToTarpit(4, 20);
  expect(besideMs / aloneMs).toBeLessThan(2);
});

test('L13: a server opens its directory each time', { timeout: 120_000 }, async () => {
  expect(await startAndStop(3)).toMatchObject({ failed: 0 });
});

test('L14: requests without a token are refused at little cost', { timeout: 120_000 }, async () => {
  const { answers, requests } = await flood(200, 2);
  expect(answers).toEqual({ '401': requests });
});

test('every listed load is run here or listed in the table of other loads', () => {
  const files = ['test/robustness/load/load.test.ts', 'test/long/load-cases.test.ts'];
  const played = new Set(
    files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\b(L\d\d): /g)].map(([, id]) => id)),
  );
  const { load } = readCases('load') as { load: ReadonlyArray<{ id: string }> };
  const listed = load.map(({ id }) => id);
  expect(new Set([...played, ...Object.keys(OTHER_LOADS)])).toEqual(new Set(listed));
  const results = new Set(readdirSync('bench/results'));
  for (const { by } of Object.values(OTHER_LOADS)) expect(by === null || results.has(by), String(by)).toBe(true);
});
