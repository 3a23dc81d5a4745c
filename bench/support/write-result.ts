// Writes a measurement with what it takes to repeat it: command, commit, date, machine.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename, join, relative } from 'node:path';

const project = join(import.meta.dirname, '../..');
const folder = join(project, 'bench/results');

export function writeResult(name: string, measurements: Readonly<Record<string, unknown>>): void {
  const [, script = '', ...args] = process.argv;
  const result = {
    command: [
      'node',
      relative(project, script),
      ...args.map((argument) => (argument.includes('://') ? argument : basename(argument))),
    ].join(' '),
    commit: execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' }).trim(),
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
    ...measurements,
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  console.log(JSON.stringify(result, null, 2));
}
