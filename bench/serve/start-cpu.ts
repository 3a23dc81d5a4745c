// CPU time of starting the program, as a multiple of an empty Node process: help, and a search that a running owner answers.
// All are started alternately in one run, so a busy machine slows them alike. A second program, such as the one of the commit
// before, is measured with them.
//
//   npm run build && node bench/serve/start-cpu.ts [--before OTHER/dist/main.js] [--rounds 15]

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeResult } from '../support/write-result.ts';
import { startCpuSeconds } from '../../test/support/start-cpu.ts';

const { values } = parseArgs({
  options: { before: { type: 'string' }, rounds: { type: 'string', default: '15' } },
});
const folder = mkdtempSync(join(tmpdir(), 'pinakes-start-cpu-'));
const settings = { PINAKES_DATA_DIR: folder, PINAKES_OWNER_IDLE_MS: '60000' };
const main = join(import.meta.dirname, '../../dist/program/main.js');
const docs = join(import.meta.dirname, '../../docs/guides');
const environment = { ...process.env, ...settings };
const execute = (...args: string[]) => execFileSync(process.execPath, [main, ...args], { env: environment });
execute('add', docs, '--name', 'guides', '--wait');

const programs = { now: main, ...(values.before !== undefined && { before: values.before }) };
const commands: Record<string, readonly string[]> = { empty: ['-e', '0'] };
for (const [name, path] of Object.entries(programs)) {
  commands[`${name}Help`] = [path, '--help'];
  commands[`${name}Search`] = [path, 'search', 'rate', 'limit'];
}
const seconds = startCpuSeconds(commands, Number(values.rounds), settings);
rmSync(folder, { recursive: true, force: true });

const empty = seconds['empty'] ?? 0;
const ratios = Object.fromEntries(
  Object.entries(seconds).map(([name, one]) => [name, Math.round((one / empty) * 100) / 100]),
);
writeResult('start-cpu', { rounds: Number(values.rounds), emptySeconds: empty, timesEmptyNode: ratios });
