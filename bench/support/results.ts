// Writes a result with the command, commit and date that made it.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, cpus } from 'node:os';

const folder = new URL('../results/', import.meta.url);

export function writeResult(name: string, figures: Record<string, unknown>): void {
  mkdirSync(folder, { recursive: true });
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const command = ['node', ...process.argv.slice(1).map((part) => part.replace(`${process.cwd()}/`, ''))].join(' ');
  const machine = { cores: cpus().length, arch: arch(), node: process.version };
  const result = { command, commit, date: new Date().toISOString().slice(0, 10), machine, ...figures };
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(result, null, 2)}\n`);
}

/** User and system time of this process so far. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
