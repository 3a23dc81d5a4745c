// Every finding is cited in the name of a test, or answered; every citation names a finding that is listed.

import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findings } from './regressions.ts';

const CITATION = /\(finding ([A-Z]\d+(?:\.\d+)?)\)/g;

const cited = new Set(
  globSync(['src/**/*.test.ts', 'test/**/*.ts', 'web/**/*.test.{ts,tsx}'])
    .filter((path) => !path.startsWith('test/project/requirements/'))
    .flatMap((path) => Array.from(readFileSync(path, 'utf8').matchAll(CITATION), ([, id]) => id ?? '')),
);

test('every finding is cited by a test, or answered', () => {
  const open = findings.filter(({ id, answer }) => !cited.has(id) && answer === undefined);
  expect(open.map(({ id }) => id)).toEqual([]);
});

test('every citation names a finding, once', () => {
  const ids = findings.map(({ id }) => id);
  expect([...cited].filter((id) => !ids.includes(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});
