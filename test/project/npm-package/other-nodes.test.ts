// The package runs on the oldest and the newest supported Node, not only on the one it is built with.

import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchNode } from '../../support/fetch-node.ts';
import { installOnce } from '../../support/packed-package.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { LINUX_X64 } from '../../support/needs.ts';

const folder = temporaryDirectory();
let home: string;

beforeAll(() => {
  home = installOnce(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each(['14.21.3', '20.20.2'])(
  'on Node %s it says in one sentence which Node it needs (finding T2.3)',
  { ...LINUX_X64, timeout: 120_000 },
  async (version) => {
    const node = await fetchNode(version, folder);
    for (const args of [['--version'], ['search', 'timeouts']]) {
      const { status, stdout, stderr } = spawnSync(node, ['node_modules/pinakes/dist/program/main.js', ...args], {
        cwd: home,
        encoding: 'utf8',
      });
      expect({ status, stdout, stderr }).toEqual({
        status: 1,
        stdout: '',
        stderr: `Pinakes needs Node 22.19 or newer; this is Node ${version}.\n`,
      });
    }
  },
);

test.each(['22.23.3', '26.10.0'])('it runs on Node %s', { ...LINUX_X64, timeout: 120_000 }, async (version) => {
  const node = await fetchNode(version, folder);
  const run = (...args: string[]): string => execFileSync(node, args, { cwd: home, encoding: 'utf8' }).trim();
  expect(run('--version')).toBe(`v${version}`);
  const script =
    "const core = await import('pinakes/core'); await import('pinakes'); console.log(core.sha256Hex('').slice(0, 8))";
  expect(run('--input-type=module', '-e', script)).toBe('e3b0c442');
  expect(run('node_modules/pinakes/dist/program/main.js', '--help')).toContain('add');
});
