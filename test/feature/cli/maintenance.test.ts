// Maintenance of a library: doctor, backup while it is in use, restore, source definitions, a remote server.

import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addToken, startTestServer } from '../../support/test-server.ts';
import { createSiteServer, type SiteServer } from '../../support/generated-site.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { createLibrary, ENGINES, storedUrls } from '../../support/library.ts';
import { run } from '../../support/program.ts';

const folder = temporaryDirectory();
let site: SiteServer;
beforeAll(async () => void (site = await createSiteServer({ size: 5 })));
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

test(
  '[E4] a library is backed up while a crawl writes to it, and restored completely',
  { timeout: 120_000 },
  async () => {
    const library = await createLibrary('sqlite');
    expect(await library.run('add', site.start, '--name', 'first', '--wait')).toMatchObject({ code: 0 });
    const before = await storedUrls(library);
    const big = await createSiteServer({ size: 60, answerMs: 10 });
    const crawl = library.start('add', big.start, '--name', 'second', '--wait');
    const file = join(folder, 'library.db');
    expect(await library.run('backup', file)).toMatchObject({ code: 0, stdout: expect.stringContaining('Wrote') });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await library.run('backup', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('already') });
    expect(await crawl.ended).toMatchObject({ code: 0 });
    expect((await storedUrls(library)).length).toBeGreaterThan(before.length);

    const restored = await library.run('restore', file);
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('before-') });
    expect(await library.run('verify')).toMatchObject({ code: 0 });
    const after = await storedUrls(library);
    expect(after).toEqual(expect.arrayContaining([...before]));
    expect(await library.run('search', 'almanac')).toMatchObject({ code: 0 });
    writeFileSync(join(folder, 'broken.db'), 'no database at all, but longer than a header'.repeat(100));
    for (const wrong of ['broken.db', 'missing.db'])
      expect(await library.run('restore', join(folder, wrong))).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('Cannot restore'),
      });
    await big.close();
    await library.remove();
  },
);

test('[E4] backup and restore of a library on PostgreSQL refer to its own tools', async () => {
  const library = await createLibrary('postgres');
  for (const args of [
    ['backup', join(folder, 'pg.db')],
    ['restore', join(folder, 'pg.db')],
  ])
    expect(await library.run(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining('pg_dump') });
  await library.remove();
});

for (const engine of ENGINES) {
  test(`${engine}: a damaged index is rebuilt from stored pages`, async () => {
    const library = await createLibrary(engine);
    expect(await library.run('add', site.start, '--name', 'first', '--wait')).toMatchObject({ code: 0 });
    const passages = async (): Promise<number> => {
      const { passages: found }: { passages: unknown[] } = await library.json('search', 'almanac');
      return found.length;
    };
    const whole = await passages();
    expect(whole).toBeGreaterThan(0);
    await library.sql('delete from search_postings');
    expect(await passages()).toBe(0);
    expect(await library.run('reindex')).toMatchObject({ code: 2, stderr: expect.stringContaining('--all') });
    expect(await library.run('reindex', 'nothing')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing'),
    });
    const again = await library.json('reindex', '--all');
    expect(again).toMatchObject({ sources: ['first'] });
    const worker = library.start('worker');
    await library.read(async (store) => {
      while ((await store.segments.queueLength()) > 0) await wait(50);
    });
    worker.kill('SIGTERM');
    await worker.ended;
    expect(await passages()).toBe(whole);
    expect(await library.run('verify')).toMatchObject({ code: 0 });
    await library.remove();
  });

  test(
    `[E4] ${engine}: source definitions are exported to a file and imported again`,
    { timeout: 60_000 },
    async () => {
      const one = await createLibrary(engine);
      const file = join(folder, `${engine}.json`);
      await one.run('add', site.start, '--name', 'almanac', '--max-pages', '3', '--exclude', '/x/**');
      expect(await one.run('sources', 'export', file)).toMatchObject({ code: 0 });
      const written = readFileSync(file, 'utf8');
      expect(JSON.parse(written)).toEqual({
        sources: [
          { name: 'almanac', startUrl: site.start, versions: [''], settings: { maxPages: 3, exclude: ['/x/**'] } },
        ],
      });
      expect((await one.run('sources', 'export')).stdout).toBe(written);
      const other = await createLibrary(engine);
      expect(await other.json('sources', 'import', file)).toMatchObject({
        added: [{ source: 'almanac' }],
        existing: [],
      });
      expect(await other.json('sources', 'import', file)).toMatchObject({ added: [], existing: ['almanac'] });
      expect((await other.run('sources', 'export')).stdout).toBe(written);
      writeFileSync(file, written.replace('exclude', 'block'));
      expect(await other.run('sources', 'import', file)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('block'),
      });
      await one.remove();
      await other.remove();
    },
  );

  test(`[U2] ${engine}: all checks of doctor pass`, async () => {
    const library = await createLibrary(engine);
    const { checks }: { checks: { name: string; state: string; detail: string }[] } = await library.json('doctor');
    expect(checks.filter(({ state }) => state === 'failed')).toEqual([]);
    expect(checks.find(({ name }) => name === 'database')?.detail).toContain(engine);
    await library.remove();
  });
}

test('[U2] doctor names what is missing and what to do about it', async () => {
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  const noFolder = await run({ PINAKES_DATA_DIR: join(file, 'inside') }, ['doctor']);
  expect(noFolder).toMatchObject({ code: 1, stdout: expect.stringMatching(/!! data directory.*\n.*PINAKES_DATA_DIR/) });
  const noSpace = await run({ PINAKES_DATA_DIR: folder, PINAKES_MIN_FREE_BYTES: '900000000000000' }, ['doctor']);
  expect(noSpace).toMatchObject({ code: 1, stdout: expect.stringMatching(/!! disk space.*\n.*Free some disk space/) });
  const noDatabase = await run({ PINAKES_DATABASE_URL: 'postgres://nobody:hidden-word@127.0.0.1:1/none' }, ['doctor']);
  expect(noDatabase).toMatchObject({ code: 1, stdout: expect.stringMatching(/!! database.*\n.*PINAKES_DATABASE_URL/) });
  expect(noDatabase.stdout + noDatabase.stderr).not.toContain('hidden-word');
});

test('commands use a remote server with a token from the environment (finding T3.7)', async () => {
  let token = '';
  const server = await startTestServer({ PINAKES_SERVE_HOST: '0.0.0.0' }, async (library) => {
    token = await addToken(library, 'remote', 'admin');
  });
  const settings = { PINAKES_DATA_DIR: join(folder, 'unused'), PINAKES_TOKEN: token };
  mkdirSync(join(folder, 'unused'));
  const remote = (...args: string[]) => run(settings, [...args, '--server', server.url]);
  expect(await remote('add', site.start, '--name', 'almanac', '--wait')).toMatchObject({ code: 0 });
  expect((await remote('search', 'almanac')).stdout).toContain(site.origin);
  expect((await remote('status')).stdout).toContain('completed');
  expect(await remote('export', 'almanac', '--out', join(folder, 'x.zip'))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not available on a server'),
  });
  const refused = await run({ ...settings, PINAKES_TOKEN: 'pnk_wrong' }, ['list', '--server', server.url]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('does not accept the access token') });
  const anonymous = await run({ PINAKES_DATA_DIR: settings.PINAKES_DATA_DIR }, ['list', '--server', server.url]);
  expect(anonymous).toMatchObject({ code: 1, stderr: expect.stringContaining('requires an access token') });
  expect(anonymous.stderr).toContain('export PINAKES_TOKEN=');
  const checked = await remote('doctor');
  expect(checked).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/ok server .*\n.*ok readiness .*\n(?:ok|--) access /),
  });
  const forbidden = await run({ ...settings, PINAKES_TOKEN: 'pnk_wrong' }, ['doctor', '--server', server.url]);
  expect(forbidden).toMatchObject({ code: 1, stdout: expect.stringMatching(/!! access .*\n.*PINAKES_TOKEN/) });
  const other = await run(settings, ['doctor', '--server', site.origin]);
  expect(other).toMatchObject({ code: 1, stdout: expect.stringContaining('is not a Pinakes server') });
  const foreign = await run(settings, ['list', '--server', site.origin]);
  expect(foreign).toMatchObject({ code: 1, stderr: expect.stringContaining('not as Pinakes does') });
  const unreachable = await run(settings, ['list', '--server', 'http://127.0.0.1:1']);
  expect(unreachable).toMatchObject({ code: 1, stderr: expect.stringContaining('Cannot reach a Pinakes server') });
  await server.stop();
});

test('setup shows, writes and restores the configuration of an assistant', async () => {
  const home = join(folder, 'home');
  mkdirSync(home);
  const at = { PINAKES_DATA_DIR: folder, HOME: home } as never;
  const shown = await run(at, ['setup', 'cursor', '--dry-run']);
  expect(shown.stdout).toContain('mcpServers');
  expect(await run(at, ['setup', 'cursor'])).toMatchObject({ code: 0 });
  const file = join(home, '.cursor', 'mcp.json');
  const { mcpServers } = JSON.parse(readFileSync(file, 'utf8')) as {
    mcpServers: { pinakes: { args: string[]; env: object } };
  };
  expect(mcpServers.pinakes).toMatchObject({
    args: [expect.stringMatching(/main\.(ts|js)$/), 'mcp'],
    env: { PINAKES_DATA_DIR: folder },
  });
  expect(await run(at, ['setup', 'cursor', '--undo'])).toMatchObject({ code: 0 });
  expect(await run(at, ['setup', 'nothing'])).toMatchObject({ code: 2 });
});

test('help shows how to start and what exit codes mean', async () => {
  const { stdout, code, ms } = await run({}, ['--help']);
  expect(code).toBe(0);
  for (const part of ['Getting started:', 'Exit codes:', 'pinakes doctor', 'interrupted'])
    expect(stdout).toContain(part);
  expect(stdout).not.toContain('\u001b[');
  expect(ms).toBeLessThan(10_000);
});
