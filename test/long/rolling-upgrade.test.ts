// A rolling upgrade: this program crawls while a newer one migrates the database and joins it. The newer one is a copy of this program
// with one more migration.

import { spawn } from 'node:child_process';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { run, start } from '../support/program.ts';
import { PROJECT } from '../support/project-files.ts';
import { createSiteServer } from '../support/generated-site.ts';
import { createDatabase } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';

/** What a migration may do while programs of the former schema run: add columns, indexes and tables, widen a type. */
const MIGRATION = `alter table pages add column note text;
alter table frontier add column note text;
alter table runs alter column version_id type bigint;
create index pages_note on pages (note) where note is not null;
create table notes (id bigint primary key generated always as identity, page text not null);
`;

/** Returns the main file of the newer program. */
function createNewerProgram(): string {
  const folder = temporaryDirectory();
  for (const part of ['src', 'migrations', 'package.json'])
    cpSync(join(PROJECT, part), join(folder, part), { recursive: true });
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'migrations/postgres/9000-test.sql'), MIGRATION);
  return join(folder, 'src/main.ts');
}

function startNewer(main: string, settings: Record<string, string>, args: readonly string[]) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PINAKES_')));
  const child = spawn(process.execPath, [main, ...args], { cwd: tmpdir(), env: { ...env, ...settings } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += String(data)));
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, output }));
  });
  return { ended, stop: () => void child.kill('SIGTERM') };
}

test('two versions on one database lose and duplicate no page (finding N15)', async () => {
  const newer = createNewerProgram();
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

  expect(await run(settings, ['add', site.start])).toMatchObject({ code: 0 });
  const previous = start(settings, ['worker']);
  await waitUntil('the former program crawls', () => site.requests.length > 20, 300_000);
  await client.connect();
  const worker = startNewer(newer, settings, ['worker']);
  const isOver = async () => (await count('select count(*) as n from runs where ended_at is null')) === 0;
  await waitUntil('the run ends', isOver, 300_000);
  const ended = await previous.ended;
  expect(ended.stderr).toContain('schema version 9000');
  await waitUntil('all is indexed', async () => (await count('select count(*) as n from index_queue')) === 0, 120_000);
  worker.stop();
  expect(await worker.ended).toMatchObject({ code: 0 });

  const { rows } = await client.query(`select url from pages where alias_key is null order by url`);
  const stored = (rows as Array<{ url: string }>).map(({ url }) => new URL(url).pathname);
  expect(stored.toSorted()).toEqual([...site.oracle.stored.keys()].toSorted());
  expect(await count(`select count(*) as n from runs where state = 'completed'`)).toBe(1);
  expect(await startNewer(newer, settings, ['verify']).ended).toMatchObject({ code: 0 });

  const refused = await run(settings, ['list']);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('schema version 9000');
  await client.end();
  await site.close();
  await database.drop();
});
