// Keeps the list of requirements and the names of tests consistent.

import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { citedIds } from '../../support/cited-ids-reporter.ts';
import { findings } from './regressions.ts';
import { REQUIREMENTS } from './requirements.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Citation {
  readonly id: string;
  readonly file: string;
}

/** Ids in brackets inside the names of tests: the first text after `test(`, `it(` or `describe(`. */
function citationsIn(source: string, file: string): Citation[] {
  const names = source.matchAll(/\b(?:test|it|describe)(?:\.\w+)?\(\s*(['"`])([^\n]*?)\1/g);
  return [...names].flatMap(([, , name = '']) =>
    [...name.matchAll(/\[([A-Z]\d{1,2})\]/g)].map(([, id = '']) => ({ id, file })),
  );
}

const citations = globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'test/**/*-cases.ts'], { cwd: root }).flatMap(
  (file) => citationsIn(readFileSync(`${root}/${file}`, 'utf8'), file),
);
const cited = new Set(citations.map(({ id }) => id));
const known = new Set(REQUIREMENTS.map(({ id }) => id));

for (const { id, holds } of REQUIREMENTS) {
  test(`a test shows that ${holds} (${id})`, () => {
    expect(cited).toContain(id);
  });
}

test('every id that a test cites is a listed requirement', () => {
  expect(citations.filter(({ id }) => !known.has(id))).toEqual([]);
});

test('each requirement is listed once, in order', () => {
  const ids = REQUIREMENTS.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })));
});

test('ids are found in names and nowhere else', () => {
  const open = 'test(';
  const source = `${open}'[Q1] one', f);\n// [Q2]\nconst x = list[Q3];\ndescribe(\n  \`[Q4] [Q5] \${engine}\`, g);`;
  expect(citationsIn(source, 'x').map(({ id }) => id)).toEqual(['Q1', 'Q4', 'Q5']);
});

test('a run says what the ids of failed tests stand for', () => {
  const [requirement] = REQUIREMENTS;
  const [finding] = findings;
  expect(
    citedIds([`[${requirement!.id}] one`, `[${requirement!.id}] two (finding ${finding!.id})`, '[Z99] none']),
  ).toEqual([
    `(finding ${finding!.id}) is a fault that was fixed: ${finding!.fault}`,
    `[${requirement!.id}] is the requirement that ${requirement!.holds}`,
  ]);
});
