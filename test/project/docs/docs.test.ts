// Checks that the pages that describe the code agree with it.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { featureLabels, signalLabels } from '../../../src/core/answer/score-labels.table.ts';
import { PROJECT, readProject } from '../../support/project-files.ts';
import { runIn } from '../../support/planted-tree.ts';

interface Sizes {
  readonly spec: string;
  readonly license: string;
  readonly packages: number;
  readonly megabytes: number;
  readonly loadCpuMs: number;
}

test('the reference pages are up to date', () => {
  expect(runIn(PROJECT, 'node scripts/write-reference.ts --check')).toMatchObject({ status: 0, stderr: '' });
});

test('ARCHITECTURE.md asks a question of every folder', () => {
  const rows = readProject('ARCHITECTURE.md').matchAll(/^\| (`[^|]+`) \| .+\? \|$/gm);
  const names = Array.from(rows, ([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  ).flat();
  /** A name with an ellipsis matches every name with the same beginning and end. */
  const isListed = (name: string): boolean =>
    names.some((listed) => {
      const [begin = '', end] = listed.split('…');
      return end === undefined ? name === listed : name.startsWith(begin) && name.endsWith(end);
    });
  const folders = [
    ...entriesOf('src').filter((name) => name !== 'core'),
    ...entriesOf('src/core').map((name) => `core/${name}`),
  ];
  const entries = new Set(['index.ts', 'loader.ts', 'ports.ts', 'core/index.ts']);
  expect(folders.filter((name) => !isListed(name) && !entries.has(name))).toEqual([]);
});

test('the figures of docs/dependencies.md are the measured ones', () => {
  const page = readProject('docs/dependencies.md');
  const { packages } = JSON.parse(readProject('bench/results/dependencies.json')) as { packages: Sizes[] };
  const lines = packages.map(({ spec, license, packages: count, megabytes, loadCpuMs }) => {
    const name = spec.slice(0, spec.lastIndexOf('@'));
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`) || line.startsWith(`| ${name} |`));
    const stated = [`| ${license} | ${count} | ${megabytes} | ${loadCpuMs} |`, `${count} packages and ${loadCpuMs} ms`];
    return stated.some((text) => row?.includes(text)) ? null : `${spec}: ${row}`;
  });
  expect(lines.filter((line) => line !== null)).toEqual([]);
});

test('README.md has at most 90 lines and 700 words', () => {
  const text = readProject('README.md');
  expect(text.split('\n').length - 1).toBeLessThanOrEqual(90);
  expect(text.match(/\S+/g)?.length).toBeLessThanOrEqual(700);
});

test('the figures of README.md are those of docs/benchmarks.md', () => {
  const rows = readProject('docs/benchmarks.md').split('\n');
  const links = Array.from(readProject('README.md').matchAll(/\[([^\]]+)\]\((bench\/results\/[\w-]+\.json)\)/g));
  const wrong = links.flatMap(([, text = '', file = '']) => {
    const measured = rows.filter((row) => row.includes(`../${file})`)).join(' ');
    const stated: readonly string[] = text.match(/\d[\d.,]*/g) ?? [];
    return stated.filter((number) => !numbersOf(measured).has(number)).map((number) => `${file}: ${number}`);
  });
  expect(links.length).toBeGreaterThanOrEqual(4);
  expect(wrong).toEqual([]);
});

function numbersOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/\d[\d.,]*\d|\d/g));
}

test('the guide explains every signal and feature that --explain shows (finding T5.3)', () => {
  const rows = Array.from(readProject('docs/guides/retrieval.md').matchAll(/^\| `(\w+)` \| ([^|]+) \| [^|]+ \|$/gm));
  const explained = rows.map(([, name, label]) => [name, label]);
  expect(explained).toEqual([...Object.entries(signalLabels), ...Object.entries(featureLabels)]);
});

test('AGENTS.md stays ten lines', () => {
  expect(readProject('AGENTS.md').match(/^\d+\. /gm)).toHaveLength(10);
});

const decisions = readdirSync(join(PROJECT, 'docs/decisions'), 'utf8').filter((name) => name !== 'README.md');

test('no two decisions have the same number', () => {
  const numbers = decisions.map((name) => name.slice(0, 4));
  expect(numbers).toEqual([...new Set(numbers)]);
});

test('every decision has the same sections, and the index lists it', () => {
  const index = readProject('docs/decisions/README.md');
  for (const name of decisions) {
    const text = readProject(`docs/decisions/${name}`);
    expect(text, name).toMatch(
      new RegExp(`^# ${name.slice(0, 4)}\\. .+\n\n## Status\n\nAccepted, \\d{4}-\\d\\d-\\d\\d\\.\n`),
    );
    const sections = Array.from(text.matchAll(/^## (.+)$/gm), ([, title]) => title);
    expect(sections, name).toEqual(['Status', 'Context', 'Decision', 'Alternatives considered', 'Consequences']);
    expect(index, name).toContain(`](${name})`);
  }
});

test('decisions that supersede each other both say so', () => {
  const relations = (word: string): string[] =>
    decisions.flatMap((name) =>
      Array.from(
        readProject(`docs/decisions/${name}`).matchAll(new RegExp(`^- ${word} .*?\\]\\((.+?\\.md)\\)`, 'gm')),
        ([, other]) => (word === 'Supersedes' ? `${name} ${other}` : `${other} ${name}`),
      ),
    );
  expect(relations('Superseded by').sort()).toEqual(relations('Supersedes').sort());
  expect(relations('Supersedes').length).toBeGreaterThan(10);
});

function entriesOf(folder: string): string[] {
  return readdirSync(join(PROJECT, folder), 'utf8').filter((name) => !name.includes('.test.'));
}
