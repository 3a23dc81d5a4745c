// Writes the result of a long test to bench/results, with the command and the commit that produced it.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const RESULTS = new URL('../../bench/results/', import.meta.url);

/** With `merge`, results of the same commit that were measured separately are retained. */
export function writeResult(name: string, results: object, merge = false): void {
  mkdirSync(RESULTS, { recursive: true });
  const commit = currentCommit();
  const retained = merge ? readResultOfCommit(name) : {};
  const result = { ...retained, command: `npm run test:${name}`, commit, date: new Date().toISOString(), ...results };
  writeFileSync(new URL(`${name}.json`, RESULTS), `${JSON.stringify(result, null, 2)}\n`);
}

/** Empty if the result is of another commit. */
export function readResultOfCommit(name: string): Readonly<Record<string, unknown>> {
  const before = readResult(name);
  return before['commit'] === currentCommit() ? before : {};
}

function currentCommit(): string {
  return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
}

function readResult(name: string): Readonly<Record<string, unknown>> {
  const file = new URL(`${name}.json`, RESULTS);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : {};
}
