// The lists of attacks: each case of each list is a test, which has the id of the case in its name.

import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readCases } from '../support/read-cases.ts';

const LISTS = [
  'hostile-chunks',
  'hostile-documents',
  'hostile-projects',
  'hostile-server',
  'mcp-http',
  'paths',
  'patterns',
  'redaction',
  'ssrf-urls',
  'supply-chain',
];

const sources = globSync(['src/**/*.ts', 'test/**/*.ts']).map((path) => readFileSync(path, 'utf8'));
/** The name of a test has the id of its case. */
const NAMED = /\$\{(?:\w+\.)?id\}|\$id\b/;

describe('[Z1] every case has an id, which is in the name of its test', () => {
  test.each(LISTS)('in %s', (list) => {
    const groups = Object.entries(readCases(list) as Record<string, unknown>).filter(
      (entry): entry is [string, ReadonlyArray<{ readonly id?: unknown }>] =>
        Array.isArray(entry[1]) && typeof entry[1][0] === 'object' && entry[1][0] !== null && 'id' in entry[1][0],
    );
    expect(groups.length).toBeGreaterThan(0);
    const ids = groups.flatMap(([, cases]) => cases.map(({ id }) => id));
    expect(ids.filter((id) => typeof id !== 'string' || id === '')).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    const readers = sources.filter((source) => source.includes(`'${list}'`) && NAMED.test(source));
    const isTested = (group: string, id: unknown): boolean =>
      readers.some((source) => source.includes(group)) || sources.some((source) => source.includes(String(id)));
    expect(groups.flatMap(([name, cases]) => cases.filter(({ id }) => !isTested(name, id)))).toEqual([]);
  });
});
