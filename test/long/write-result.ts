// Leaves the figures of a long form in bench/results, with the command and the commit that made them.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';

const RESULTS = new URL('../../bench/results/', import.meta.url);

export function writeResult(name: string, figures: object): void {
  mkdirSync(RESULTS, { recursive: true });
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  const result = { command: `npm run test:${name}`, commit, date: new Date().toISOString(), ...figures };
  writeFileSync(new URL(`${name}.json`, RESULTS), `${JSON.stringify(result, null, 2)}\n`);
}
