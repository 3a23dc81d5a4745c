// A rolling upgrade: the program of an earlier commit crawls while this one migrates the database and joins it.

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { run, start } from '../e2e/program.ts';
import { PROJECT } from '../package/project-files.ts';
import { temporaryFolder } from '../package/packed-package.ts';
import { createSiteServer } from '../support/site-server.ts';
import { createDatabase } from '../support/stores.ts';
import { waitUntil } from '../support/wait-until.ts';

/** The last commit with schema 1. */
const FORMER = '875d0e6';
const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Builds, packs and unpacks the former program; returns its main file. */
function buildFormer(): string {
  const tree = join(folder, 'tree');
  mkdirSync(tree);
  const shell = (command: string, cwd = tree): string => execFileSync('sh', ['-c', command], { cwd, encoding: 'utf8' });
  shell(`git archive ${FORMER} | tar -x -C ${tree}`, PROJECT);
  symlinkSync(join(PROJECT, 'node_modules'), join(tree, 'node_modules'));
  shell('npm run --silent build && npm pack --silent');
  shell(`tar -xzf pinakes-*.tgz -C ${folder}`);
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'package/node_modules'));
  return join(folder, 'package/dist/main.js');
}

function startFormer(main: string, settings: Record<string, string>, args: readonly string[]) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PINAKES_')));
  const child = spawn(process.execPath, [main, ...args], { cwd: tmpdir(), env: { ...env, ...settings } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += String(data)));
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, output }));
  });
  return { ended, stop: () => void child.kill('SIGTERM') };
}

test('both versions on one database: no page is lost or doubled, and the old one starts no more (finding N15)', async () => {
  const main = buildFormer();
  const site = await createSiteServer({ size: 120, answerMs: 150 });
  const database = await createDatabase();
  const settings = {
    PINAKES_DATABASE_URL: database.url,
    PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
    PINAKES_CRAWL_START_DELAY_MS: '0',
    PINAKES_CRAWL_MIN_DELAY_MS: '0',
    PINAKES_CRAWL_CONCURRENCY: '2',
    PINAKES_CRAWL_LEASE_MS: '3000',
    PINAKES_CRAWL_RENEW_MS: '1000',
  };
  const client = new pg.Client({ connectionString: database.url });
  const count = async (sql: string): Promise<number> => Number((await client.query(sql)).rows[0]?.n);

  expect(await startFormer(main, settings, ['add', site.start]).ended).toMatchObject({ code: 0 });
  const former = startFormer(main, settings, ['worker']);
  await waitUntil('the former program crawls', () => site.requests.length > 20, 300_000);
  await client.connect();
  const worker = start(settings, ['worker']);
  const isOver = async () => (await count('select count(*) as n from runs where ended_at is null')) === 0;
  await waitUntil('the run ends', isOver, 300_000);
  former.stop();
  const { output } = await former.ended;
  await waitUntil('all is indexed', async () => (await count('select count(*) as n from index_queue')) === 0, 120_000);
  worker.kill('SIGTERM');
  expect(await worker.ended, output).toMatchObject({ code: 0 });

  const { rows } = await client.query(`select url from pages where alias_key is null order by url`);
  const stored = (rows as Array<{ url: string }>).map(({ url }) => new URL(url).pathname);
  expect(stored.toSorted()).toEqual([...site.oracle.stored.keys()].toSorted());
  expect(await count(`select count(*) as n from runs where state = 'completed'`)).toBe(1);
  expect(await run(settings, ['verify'])).toMatchObject({ code: 0 });

  const refused = await startFormer(main, settings, ['list']).ended;
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain('schema version');
  await client.end();
  await site.close();
  await database.drop();
});
