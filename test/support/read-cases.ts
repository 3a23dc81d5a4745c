// Reads a list of cases from test/cases.

import { readFileSync } from 'node:fs';

export function readCases(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../cases/${name}.json`, import.meta.url), 'utf8'));
}
