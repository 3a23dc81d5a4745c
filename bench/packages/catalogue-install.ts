// node bench/packages/catalogue-install.ts CATALOGUE COUNT [BEFORE]: installs COUNT entries of a catalogue, LOCATION#PIN, into an empty library,
// and measures the first answer: an installation of one entry and a search for it, each in its own process. With BEFORE, the main.js of
// an earlier build, both programs take turns. Run `npm run build` before.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { childrenCpuMs } from '../support/processor-time.ts';
import { writeResult } from '../support/write-result.ts';

const [catalogue, count, before] = process.argv.slice(2);
if (catalogue === undefined || count === undefined)
  throw new Error('usage: catalogue-install.ts CATALOGUE COUNT [BEFORE]');
const folder = mkdtempSync(join(tmpdir(), 'pinakes-bench-install-'));
const now = process.env['TEST_PROGRAM'] ?? join(import.meta.dirname, '../../dist/program/main.js');

interface Verified {
  readonly catalogs: ReadonlyArray<{ readonly entries: ReadonlyArray<Record<'name' | 'version', string>> }>;
}

interface Installed {
  readonly entries: ReadonlyArray<Record<'source' | 'version' | 'index', string> & { readonly pages: number }>;
}

try {
  const { catalogs } = pinakes(now, 'verify', 'catalog', 'verify', catalogue).result as Verified;
  const names = (catalogs[0]?.entries ?? []).slice(0, Number(count)).map(({ name, version }) => `${name}@${version}`);
  const programs = before === undefined ? { now } : { before, now };
  const measured = Object.entries(programs).map(([which, program]) => [which, measure(program, which, names)] as const);
  const indexes = measured.map(([, { installed }]) => installed.entries.map(({ index }) => index).join());
  writeResult('catalogue-install', {
    entries: names.length,
    pages: measured[0]?.[1].installed.entries.reduce((sum, { pages }) => sum + pages, 0),
    load: Number(loadavg()[0]?.toFixed(1)),
    isEqual: new Set(indexes).size === 1,
    ...Object.fromEntries(measured.map(([which, { installed: _, ...costs }]) => [which, costs])),
  });
} finally {
  rmSync(folder, { recursive: true });
}

function measure(program: string, which: string, names: readonly string[]) {
  const all = pinakes(program, `${which}-all`, 'install', ...names, '--catalog', catalogue ?? '');
  const one = pinakes(program, `${which}-one`, 'install', names[0] ?? '', '--catalog', catalogue ?? '');
  const answer = pinakes(program, `${which}-one`, 'search', 'how to begin');
  return {
    installed: all.result as Installed,
    installSeconds: rounded(all.seconds),
    installCpuSeconds: rounded(all.cpuSeconds),
    firstAnswerSeconds: rounded(one.seconds + answer.seconds),
    firstAnswerCpuSeconds: rounded(one.cpuSeconds + answer.cpuSeconds),
  };
}

function pinakes(program: string, library: string, ...args: readonly string[]) {
  const env = { ...process.env, PINAKES_DATA_DIR: join(folder, library), PINAKES_OWNER_MODE: 'in-process' };
  const [cpuMs, started] = [childrenCpuMs(), performance.now()];
  const { stdout, status } = spawnSync(process.execPath, [program, ...args, '--json'], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1 << 28,
  });
  const seconds = (performance.now() - started) / 1000;
  if (status !== 0) throw new Error(`pinakes ${args.slice(0, 2).join(' ')} failed with ${status}`);
  return { result: JSON.parse(stdout) as unknown, seconds, cpuSeconds: (childrenCpuMs() - cpuMs) / 1000 };
}

function rounded(value: number): number {
  return Number(value.toFixed(1));
}
