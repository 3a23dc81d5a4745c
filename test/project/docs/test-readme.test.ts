// test/README.md names every folder of tests, and no other.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const readme = readFileSync('test/README.md', 'utf8');
const [guarantees = '', suites = ''] = readme.split('\n## Suites\n');

test('every folder has one row with its needs and its time', () => {
  const rows = [...suites.matchAll(/^\| `([\w/-]+)` \|[^|]+\|[^|]+\| (?:\d+ s|–|not measured) \|$/gm)].map(
    ([, folder = '']) => folder,
  );
  const kinds = ['data', 'feature', 'project', 'robustness', 'security'];
  const folders = kinds.flatMap((kind) => globSync(`${kind}/*`, { cwd: 'test', exclude: ['**/*.test.ts'] }));
  expect(rows.toSorted()).toEqual([...folders, 'contract', 'src', 'web'].toSorted());
  expect(globSync('*', { cwd: 'test' }).toSorted()).toEqual(
    [...kinds, 'README.md', 'contract', 'long', 'support'].toSorted(),
  );
});

test('every guarantee names folders that exist', () => {
  const rows = [...guarantees.matchAll(/^\| (?!guarantee|---).*\| (.*) \|$/gm)].map(([, tests = '']) => tests);
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows) {
    const named = [...row.matchAll(/`([^`]+)`/g)].map(([, folder = '']) => folder);
    expect(named).not.toEqual([]);
    expect(named.filter((folder) => !existsSync(`test/${folder}`) && !existsSync(folder))).toEqual([]);
  }
});

test('every long suite is listed', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const long = Object.keys(scripts).filter((name) => name.startsWith('test:') && name !== 'test:render');
  expect(long.filter((name) => !suites.includes(`${name}\``))).toEqual([]);
});
