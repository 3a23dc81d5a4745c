// node bench/crawl/index-corpora.ts DATA_DIR SITE=URL…: crawls sites with the program itself, one after the other, into one
// library for evaluations. A site that is already in the library is skipped, so the command can be repeated.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [, , dataDir, ...sites] = process.argv;
if (dataDir === undefined || sites.length === 0) {
  throw new Error('usage: node bench/crawl/index-corpora.ts DATA_DIR SITE=URL…');
}
const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

function pinakes(...args: readonly string[]): { readonly status: number; readonly said: string } {
  const done = spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: {
      ...process.env,
      PINAKES_DATA_DIR: dataDir,
      PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
      PINAKES_CRAWL_START_DELAY_MS: '0',
      PINAKES_CRAWL_MIN_DELAY_MS: '0',
    },
  });
  return { status: done.status ?? 1, said: `${done.stdout}${done.stderr}` };
}

const stored = pinakes('list', '--json').said;
for (const site of sites) {
  const [name = '', url = ''] = site.split('=');
  if (stored.includes(`"${name}"`)) continue;
  const started = performance.now();
  const { status, said } = pinakes('add', url, '--name', name, '--wait', '--json');
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${name} ${status} ${seconds} s ${said.trim().split('\n').at(-1)?.slice(0, 600)}\n`);
}
