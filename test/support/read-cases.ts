// Reads a list of cases from test/data/cases.

import { readFileSync } from 'node:fs';

export function readCases(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../data/cases/${name}.json`, import.meta.url), 'utf8'));
}
