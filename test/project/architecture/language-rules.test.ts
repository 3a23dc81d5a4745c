// The rules about names, wording and file sizes refuse a planted violation each, and leave clean text alone.

import { expect, test } from 'vitest';
import { dialectBudgets, type DialectBudget } from '../../../scripts/rules/dialect-budgets.table.ts';
import { deniedIdentifiers, deniedPhrases } from '../../../scripts/rules/dialect.table.ts';
import { plantTree, type PlantedTree } from '../../support/planted-tree.ts';

const RULES = ['dialect.table.ts', 'dialect-budgets.table.ts', 'plain-words.table.ts', 'project-files.ts'].map(
  (file) => `scripts/rules/${file}`,
);

function planted(script: string, files: Readonly<Record<string, string>>): ReturnType<PlantedTree['run']> {
  const tree = plantTree({ copied: [`scripts/${script}`, ...RULES], packages: false, files });
  tree.run('git init --quiet .');
  return tree.run(`node scripts/${script}`);
}

const smallFiles = (...listed: readonly string[]): Readonly<Record<string, string>> => ({
  'scripts/rules/small-files.table.ts': `export const smallFiles = new Map(${JSON.stringify(listed.map((file) => [file, 'a reason']))});\n`,
});

test('each denied phrase is reported in documentation, code and dashboard', () => {
  const files = deniedPhrases.flatMap(({ example }, nth) => [
    [`docs/page-${nth}.md`, `${example}\n`],
    [`src/a-${nth}.ts`, `// ${example}\nexport const a = 1;\n`],
    [`web/a-${nth}.tsx`, `export const A = () => <p>${example}</p>;\n`],
  ]);
  const { status, stderr } = planted('check-language.ts', Object.fromEntries(files));
  expect(status).toBe(1);
  for (const [nth, { instead }] of deniedPhrases.entries()) {
    for (const file of [`docs/page-${nth}.md`, `src/a-${nth}.ts`, `web/a-${nth}.tsx`]) {
      const line = stderr.split('\n').find((each) => each.startsWith(`${file}:1: `));
      expect(line, file).toContain(instead);
    }
  }
});

test('a folder may have as many violations as its budget, and not one more', () => {
  const [{ under, count }] = dialectBudgets as [DialectBudget];
  const within = Array.from({ length: count }, (_, nth) => `export const mend_${nth} = ${nth};\n`).join('');
  expect(planted('check-language.ts', { [`${under}a.ts`]: within }).status).toBe(0);
  const further = { [`${under}b.ts`]: 'export const mend = 1;\n' };
  expect(planted('check-language.ts', { [`${under}a.ts`]: within, ...further }).status).toBe(1);
});

test('clean wording passes', () => {
  const clean = 'There is no page. It is no longer stored, and no one asks. A heading is not a page.';
  expect(planted('check-language.ts', { 'docs/page.md': `${clean}\n`, 'src/a.ts': `// ${clean}\n` }).status).toBe(0);
});

test('an identifier made of a denied word is refused; a text or a longer word is not', () => {
  const files = deniedIdentifiers.flatMap(([word]) => [
    [`src/${word}/plain.ts`, `export const ${word} = 1;\n`],
    [`src/${word}/camel.ts`, `export const my${word[0]?.toUpperCase()}${word.slice(1)}Now = 1;\n`],
    [`test/${word}/constant.test.ts`, `export const MY_${word.toUpperCase()} = 1;\n`],
    [`src/${word}/text.ts`, `export const a = '${word}'; /* ${word} */ // ${word}\n`],
    [`src/${word}/longer.ts`, `export const ${word}ing = 1;\n`],
  ]);
  const { stderr } = planted('check-language.ts', Object.fromEntries(files));
  const refused = new Map(stderr.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line]));
  for (const [word, instead] of deniedIdentifiers) {
    for (const file of [`src/${word}/plain.ts`, `src/${word}/camel.ts`, `test/${word}/constant.test.ts`]) {
      expect(refused.get(file), file).toContain(instead);
    }
    expect([...refused.keys()]).not.toContain(`src/${word}/text.ts`);
    expect([...refused.keys()]).not.toContain(`src/${word}/longer.ts`);
  }
});

test('a denied identifier is allowed where it is the word of the field, and nowhere else', () => {
  const { stderr } = planted('check-language.ts', {
    'src/actions/places.ts': "import '../core/gazetteer/place.ts';\nexport const listPlaces = 1;\n",
    'src/core/gazetteer/place.ts': 'export const place = 1;\n',
    'src/index/nearest.ts': 'export const placeKey = 1;\n',
    'web/views/edit.tsx': 'export const EditForm = 1;\n',
    'src/library/feed.ts': 'export const FORM = 1;\n',
  });
  const files = stderr.trim().split('\n');
  expect(files.map((line) => line.split(': ')[0])).toEqual(['src/index/nearest.ts', 'src/library/feed.ts']);
});

test('a type of a port must be named for a term of the glossary or a plain word', () => {
  const { status, stderr } = planted('check-glossary.ts', {
    'docs/concepts.md': '| **claim** | A URL that a worker holds. |\n| **page revision** | An earlier text. |\n',
    'src/store/port.ts': 'export interface UrlClaim {}\nexport type Claims = 1;\nexport interface ClaimOptions {}\n',
    'src/store/port/pages.ts': 'export interface OldPageRevision {}\nexport interface Thingamajig {}\n',
    'src/core/model/a.ts': 'export type Revision = 1;\nexport type PageWhatnot = 1;\n',
  });
  expect(status).toBe(1);
  expect(
    stderr
      .trim()
      .split('\n')
      .map((line) => line.split(': ')[1]),
  ).toEqual(['PageWhatnot', 'Thingamajig']);
});

test('a small file with one importer is refused unless it is listed, and a stale entry is too', () => {
  const { status, stderr, stdout } = planted('check-file-sizes.ts', {
    ...smallFiles('src/listed.ts', 'src/gone.ts'),
    'src/main.ts': "import './small.ts';\nimport './listed.ts';\nimport './shared.ts';\nimport './data.table.ts';\n",
    'src/other.ts': "import './shared.ts';\n",
    'src/small.ts': 'export {};\n',
    'src/listed.ts': 'export {};\n',
    'src/shared.ts': 'export {};\n',
    'src/data.table.ts': 'export {};\n',
  });
  expect(status).toBe(1);
  expect(
    stderr
      .trim()
      .split('\n')
      .map((line) => line.split(': ')[0]),
  ).toEqual(['src/small.ts', 'src/gone.ts']);
  expect(stdout).toContain('6 source files, 2 under 40 lines with one importer, 0 over 300 lines');
});

test('more than 5 % of files over 300 lines are refused', () => {
  const { status, stderr } = planted('check-file-sizes.ts', {
    ...smallFiles(),
    'src/long.ts': 'export {};\n'.repeat(301),
  });
  expect(status).toBe(1);
  expect(stderr).toContain('src/long.ts');
});

test('a reference to a folder next to the project is refused', () => {
  const outside = ['..', 'shared', 'notes.md'].join('/');
  const { status, stderr } = planted('check-standalone.ts', { 'docs/page.md': `a\n${outside}\n` });
  expect(status).toBe(1);
  expect(stderr).toContain('docs/page.md:2');
  expect(planted('check-standalone.ts', { 'docs/page.md': 'shared/notes.md\n' }).status).toBe(0);
});

test.each([
  ['crawl: bound the bytes in flight', 0],
  ['docs, web: name the owner', 0],
  ['Everything is better now', 1],
  [`crawl: ${'a long subject '.repeat(5)}`, 1],
])('the commit subject "%s" has exit code %d', (subject, code) => {
  const tree = plantTree({ copied: ['scripts/check-commits.ts', ...RULES], packages: false, files: {} });
  const git = 'git -c user.name=a -c user.email=a@example.org';
  tree.run(`git init --quiet . && git add . && ${git} commit --quiet -m '${subject}'`);
  expect(tree.run('node scripts/check-commits.ts').status).toBe(code);
});
