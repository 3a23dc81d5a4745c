// `pinakes fetch` as a process: lines in the order of the list, exit codes, and what it must not reach.

import { execFile } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCrawl4AiServer, type Crawl4AiServer } from '../../support/crawl4ai-server.ts';
import { MAIN } from '../../support/program.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const home = temporaryDirectory();
let server: Crawl4AiServer;
beforeAll(async () => {
  server = await startCrawl4AiServer({ format: 'urls' });
});
afterAll(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

function run(args: readonly string[], input = '') {
  const env = { ...process.env, PINAKES_DATA_DIR: join(home, 'data'), PINAKES_LOG_LEVEL: 'error' };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, [MAIN, 'fetch', ...args], { env, cwd: home }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

test('[K1] pinakes fetch prints one line of JSON per URL, in order', async () => {
  const urls = ['https://8.8.8.8/a', 'nothing', 'http://127.0.0.1/admin', 'https://8.8.8.8/b'];
  writeFileSync(join(home, 'urls.txt'), `# pages\n${urls.slice(0, 2).join('\n')}\n\n${urls.slice(2).join('\r\n')}\n`);
  const { code, stdout } = await run(['--file', 'urls.txt', '--crawl4ai', server.url, '--retries', '0']);
  const lines = stdout.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ id_: expect.any(String), metadata: expect.objectContaining({ source: urls[0] }) }),
    { url: urls[1], error: { code: 'url.invalid', message: expect.any(String) } },
    { url: urls[2], error: { code: 'fetch.blocked-address', message: expect.any(String) } },
    expect.objectContaining({ metadata: expect.objectContaining({ source: urls[3] }) }),
  ]);
  expect(code).toBe(1);

  const piped = await run(['--file', '-', '--crawl4ai', server.url], `${urls[3]}\n`);
  expect([piped.code, piped.stdout.trim()]).toEqual([0, lines[3]]);
});

test('pinakes fetch needs pages, and creates no library', async () => {
  const { code, stderr } = await run([]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('Name the pages, or a file with --file')]);
  expect(existsSync(join(home, 'data'))).toBe(false);
});
