// node bench/serve/first-answer.ts TARBALL: how long the README takes to the first answer, from an empty folder and an empty home, with the
// tarball that `npm run package` makes. The documentation is this project's own.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { writeResult } from '../support/write-result.ts';

const tarball = resolve(process.argv[2] ?? 'pinakes-0.1.0.tgz');
const directory = mkdtempSync(join(tmpdir(), 'pinakes-first-answer-'));
const project = join(directory, 'project');
mkdirSync(join(directory, 'home'));
mkdirSync(project);
const docs = join(import.meta.dirname, '../../docs');
cpSync(docs, join(project, 'docs'), { recursive: true, filter: (from) => from !== join(docs, 'site') });

const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('PINAKES_'));
const env = { ...Object.fromEntries(inherited), HOME: join(directory, 'home') };
try {
  const install = seconds('npm', ['install', '--no-audit', '--no-fund', tarball]);
  const add = seconds('npx', ['pinakes', 'add', './docs', '--wait', '--in-process']);
  const search = seconds('npx', ['pinakes', 'search', 'how', 'do', 'I', 'set', 'a', 'timeout']);
  const packages = readdirSync(join(project, 'node_modules'), { recursive: true, encoding: 'utf8' });
  const bytes = packages.map((name) => statSync(join(project, 'node_modules', name)));
  writeResult('first-answer', {
    what: 'seconds of wall time on a busy machine; the download is from the registry, with an empty cache of npm',
    seconds: { install, add, search, total: Number((install + add + search).toFixed(1)) },
    packages: packages.filter((name) => /(^|node_modules\/)(@[^/]+\/)?[^/@.][^/]*\/package\.json$/.test(name)).length,
    megabytes: Math.round(bytes.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0) / 1e6),
  });
} finally {
  rmSync(directory, { recursive: true, force: true });
}

function seconds(command: string, args: readonly string[]): number {
  const begun = performance.now();
  const { status, stderr } = spawnSync(command, args, { cwd: project, env, encoding: 'utf8', timeout: 120_000 });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return Number(((performance.now() - begun) / 1000).toFixed(1));
}
