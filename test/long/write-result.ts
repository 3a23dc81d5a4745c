// Leaves the figures of a long form in bench/results, with the command and the commit that made them.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const RESULTS = new URL('../../bench/results/', import.meta.url);

/** With `keep`, figures of the same commit that were measured apart stay. */
export function writeResult(name: string, figures: object, keep = false): void {
  mkdirSync(RESULTS, { recursive: true });
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  const before = keep ? resultOf(name) : {};
  const kept = before['commit'] === commit ? before : {};
  const result = { ...kept, command: `npm run test:${name}`, commit, date: new Date().toISOString(), ...figures };
  writeFileSync(new URL(`${name}.json`, RESULTS), `${JSON.stringify(result, null, 2)}\n`);
}

function resultOf(name: string): Readonly<Record<string, unknown>> {
  const file = new URL(`${name}.json`, RESULTS);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : {};
}
