// Messages and exit codes for invalid commands and for failures.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSiteServer, type SiteServer } from '../../support/generated-site.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { createLibrary } from '../../support/library.ts';
import { freePort } from '../../support/free-port.ts';
import { run, start as startProgram, type Settings } from '../../support/program.ts';

const directory = temporaryDirectory();
const LOCAL: Settings = { PINAKES_DATA_DIR: directory, PINAKES_OWNER_MODE: 'in-process' };
afterAll(() => rmSync(directory, { recursive: true }));

describe('usage errors exit 2 and print nothing on stdout', () => {
  const cases: ReadonlyArray<readonly [what: string, args: readonly string[], message: string]> = [
    ['a command that does not exist', ['crawll'], "unknown command 'crawll'"],
    ['a flag that does not exist', ['list', '--jsn'], "unknown option '--jsn'"],
    ['a missing argument', ['add'], "missing required argument 'url'"],
    ['a limit that is not a number', ['search', 'x', '--limit', 'many'], '--limit'],
    ['a limit out of range', ['search', 'x', '--limit', '1000'], '--limit must be at most 50'],
    ['a URL without a scheme', ['add', 'docs.example.dev'], 'https://docs.example.dev'],
    ['a URL with another scheme', ['add', 'ftp://docs.example.dev/'], 'not an absolute http or https URL'],
    ['an empty query', ['search', ' '], 'query must not be empty'],
  ];
  for (const [what, args, message] of cases) {
    test(`[U2] ${what}`, async () => {
      const ended = await run(LOCAL, args);
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toContain(message);
      expect(ended.stderr).not.toContain('    at ');
    });
  }

  test('[U2] the program alone prints how to begin, on less than a screen (finding T28)', async () => {
    const ended = await run(LOCAL, []);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain('pinakes add https://');
    expect(ended.stdout.split('\n').length).toBeLessThan(20);
  });

  test('[U2] an unknown setting is an error that suggests a similar one', async () => {
    const ended = await run({ ...LOCAL, PINAKES_FETCH_TIMEOUT: '5' }, ['list']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('Unknown setting PINAKES_FETCH_TIMEOUT');
    expect(ended.stderr).toContain('PINAKES_FETCH_TIMEOUT_MS');
  });

  test('[U2] a setting with an invalid value is refused', async () => {
    const ended = await run({ ...LOCAL, PINAKES_CRAWL_LEASE_MS: 'soon' }, ['list']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('PINAKES_CRAWL_LEASE_MS');
  });
});

for (const start of ['docs.example.dev', 'htp://docs.example.dev', './no-such-folder', 'file:///etc'])
  test(`[U2] add ${start} is refused before a library is opened`, async () => {
    const dataDir = join(temporaryDirectory(), 'not-made');
    const { code, stdout } = await run({ PINAKES_DATA_DIR: dataDir }, ['add', start]);
    expect({ isRefused: code === 1 || code === 2, stdout }).toEqual({ isRefused: true, stdout: '' });
    expect(existsSync(dataDir)).toBe(false);
  });

test('an unreachable database exits 1 and names the setting to check', async () => {
  const ended = await run({ PINAKES_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, ['list']);
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expect(ended.stderr).toContain('Cannot reach the database');
  expect(ended.stderr).toContain('PINAKES_DATABASE_URL');
});

test('the help of serve names variables and defaults of port and host (finding T3.2)', async () => {
  const help = await run({}, ['serve', '--help']);
  expect(help.stdout).toMatch(/PINAKES_SERVE_PORT \(7465\)/);
  expect(help.stdout).toMatch(/PINAKES_SERVE_HOST \(127\.0\.0\.1\)/);
  expect((await run({}, ['worker', '--help'])).stdout).toMatch(/PINAKES_CRAWL_CONCURRENCY \(16\)/);
  for (const [flag, value, message] of [
    ['--port', '70000', '--port is invalid: must be at most 65535'],
    ['--port', 'http', '--port is invalid: not a number'],
    ['--host', '', '--host is invalid: must not be empty'],
  ] as const)
    expect(await run(LOCAL, ['serve', flag, value])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message) as string,
    });
  const port = await freePort();
  const { promise: listening, resolve } = Promise.withResolvers<string>();
  const server = startProgram(LOCAL, ['serve', '--port', String(port), '--host', '127.0.0.1'], (text) => {
    const [, url] = /listening on (\S+)/.exec(text) ?? [];
    if (url !== undefined) resolve(url);
  });
  const url = await Promise.race([listening, server.ended.then(({ stderr }) => stderr)]);
  server.kill('SIGTERM');
  await server.ended;
  expect(url).toBe(`http://127.0.0.1:${port}`);
});

test('config print lists the variable of each setting (finding T3.2)', async () => {
  const { stdout } = await run(LOCAL, ['config', 'print']);
  expect(stdout).toMatch(/^serve\.port +PINAKES_SERVE_PORT +7465  default$/m);
});

test('[U2] config print shows where each value comes from and masks passwords', async () => {
  const settings = { ...LOCAL, PINAKES_DATABASE_URL: 'postgres://me:tulip@db.example:5432/docs' };
  const plain = await run(settings, ['config', 'print']);
  expect(plain).toMatchObject({ code: 0, stderr: '' });
  expect(plain.stdout).toMatch(/^dataDir .* from PINAKES_DATA_DIR$/m);
  expect(plain.stdout).toMatch(/^log\.level .* default$/m);
  const json = await run(settings, ['config', 'print', '--json']);
  expect(JSON.parse(json.stdout)).toBeInstanceOf(Array);
  expect(plain.stdout + json.stdout).not.toContain('tulip');
});

test('an empty library says how to start', async () => {
  for (const command of [['list'], ['status'], ['search', 'anything']]) {
    const ended = await run(LOCAL, command);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain('pinakes add https://');
  }
});

test('[S5] an unreachable site fails its run, and later runs are not affected', { timeout: 120_000 }, async () => {
  const library = await createLibrary('sqlite');
  const gone = await createSiteServer({ size: 2 });
  await gone.close();
  const refused = await library.run('add', gone.start, '--name', 'too-early', '--wait');
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain('nothing listens at');

  const site = await createSiteServer({ size: 2, port: Number(new URL(gone.origin).port) });
  expect(await library.run('add', site.start, '--name', 'later', '--wait')).toMatchObject({ code: 0 });
  const absent = await library.run('add', `${site.origin}/docs/removed`, '--name', 'absent', '--wait');
  expect(absent.code).toBe(1);
  expect(absent.stdout).toContain('/docs/removed does not exist');
  await site.close();
  await library.remove();
});

describe('a site on a non-public address', () => {
  let site: SiteServer;
  beforeAll(async () => {
    site = await createSiteServer({ size: 2 });
  });
  afterAll(() => site.close());

  test('[F6] [S5] is not fetched, and the run says why and what an operator can do', { timeout: 120_000 }, async () => {
    const library = await createLibrary('sqlite');
    const closed = { ...library.settings, PINAKES_FETCH_ALLOW_CIDRS: '' };
    const refused = await run(closed, ['add', site.start, '--name', 'closed', '--wait']);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('failed');
    expect(refused.stdout).toContain('loopback');
    expect(refused.stdout).toContain('PINAKES_FETCH_ALLOW_CIDRS');
    expect(site.requests).toEqual([]);

    // The refusal was ours, not the site's: once the operator allows the range, it is not remembered.
    const opened = await library.run('add', site.start, '--name', 'opened', '--wait');
    expect(opened.code).toBe(0);
    await library.remove();
  });
});

test('a reader that closes stdout early, as head does, causes no error', () => {
  const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));
  const piped = spawnSync('sh', ['-c', `"${process.execPath}" "${main}" --help | true`], { encoding: 'utf8' });
  expect(piped).toMatchObject({ status: 0, stderr: '' });
});
