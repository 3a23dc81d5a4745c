// The pages that describe the code agree with it.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT, readProject } from '../package/project-files.ts';
import { runIn } from '../shape/planted-tree.ts';

interface Figures {
  readonly spec: string;
  readonly licence: string;
  readonly packages: number;
  readonly megabytes: number;
  readonly loadCpuMs: number;
}

test('the reference pages are what the code says today', () => {
  expect(runIn(PROJECT, 'node scripts/write-reference.ts --check')).toMatchObject({ status: 0, stderr: '' });
});

test('ARCHITECTURE.md asks a question of every folder', () => {
  const rows = readProject('ARCHITECTURE.md').matchAll(/^\| (`[^|]+`) \| .+\? \|$/gm);
  const names = Array.from(rows, ([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  ).flat();
  /** A name with dots in its middle asks for all that begin and end like it. */
  const isAsked = (name: string): boolean =>
    names.some((asked) => {
      const [begin = '', end] = asked.split('…');
      return end === undefined ? name === asked : name.startsWith(begin) && name.endsWith(end);
    });
  const folders = [
    ...entriesOf('src').filter((name) => name !== 'core'),
    ...entriesOf('src/core').map((name) => `core/${name}`),
  ];
  const known = new Set(['index.ts', 'core/index.ts']);
  expect(folders.filter((name) => !isAsked(name) && !known.has(name))).toEqual([]);
});

test('the figures of docs/dependencies.md are the measured ones', () => {
  const page = readProject('docs/dependencies.md');
  const { packages } = JSON.parse(readProject('bench/results/dependencies.json')) as { packages: Figures[] };
  const lines = packages.map(({ spec, licence, packages: count, megabytes, loadCpuMs }) => {
    const name = spec.slice(0, spec.lastIndexOf('@'));
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`) || line.startsWith(`| ${name} |`));
    const figures = [
      `| ${licence} | ${count} | ${megabytes} | ${loadCpuMs} |`,
      `${count} packages and ${loadCpuMs} ms`,
    ];
    return figures.some((text) => row?.includes(text)) ? null : `${spec}: ${row}`;
  });
  expect(lines.filter((line) => line !== null)).toEqual([]);
});

test('AGENTS.md stays ten lines', () => {
  expect(readProject('AGENTS.md').match(/^\d+\. /gm)).toHaveLength(10);
});

test('no two decisions have the same number', () => {
  const numbers = readdirSync(join(PROJECT, 'docs/decisions'), 'utf8').map((name) => name.slice(0, 4));
  expect(numbers).toEqual([...new Set(numbers)]);
});

function entriesOf(folder: string): string[] {
  return readdirSync(join(PROJECT, folder), 'utf8').filter((name) => !name.includes('.test.'));
}
