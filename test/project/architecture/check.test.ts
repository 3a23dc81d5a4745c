// `npm run check` runs every check, prints each result and fails when one of them does.

import { expect, test } from 'vitest';
import { plantTree } from '../../support/planted-tree.ts';

const RULES = [
  '.dependency-cruiser.cjs',
  '.oxfmtrc.json',
  '.oxlintrc.json',
  'scripts/check.ts',
  ...['commits', 'facts', 'file-sizes', 'glossary', 'language', 'links', 'results', 'standalone'].map(
    (name) => `scripts/check-${name}.ts`,
  ),
  ...['dialect.table', 'dialect-budgets.table', 'plain-words.table', 'project-files'].map(
    (name) => `scripts/rules/${name}.ts`,
  ),
  ...['', '.base', '.core', '.server', '.web', '.test'].map((name) => `tsconfig${name}.json`),
];

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const manifest = { name: 'planted', type: 'module', devDependencies: { typescript: '7.0.2' } };

const clean = {
  'package.json': json(manifest),
  'knip.json': json({
    entry: ['src/main.ts!', 'web/page.ts!', 'test/main.test.ts'],
    project: ['src/**/*.ts!', 'web/**/*.ts!', 'test/**/*.ts'],
    ignoreDependencies: ['typescript'],
  }),
  'src/core/noun.ts': "export const noun = 'a';\n",
  'src/main.ts': "import { noun } from './core/noun.ts';\n\nprocess.stdout.write(noun);\n",
  'web/page.ts': "import { noun } from '../src/core/noun.ts';\n\ndocument.title = noun;\n",
  'test/main.test.ts': "import { noun } from '../src/core/noun.ts';\n\nprocess.stdout.write(noun);\n",
  'README.md': '# Planted\n\n[itself](README.md#planted)\n',
  'docs/concepts.md': '| **page** | A URL. |\n',
  // The real one reads the actions, which the tree does not have.
  'scripts/print-words.ts': 'process.exitCode = 0;\n',
  'scripts/rules/small-files.table.ts': 'export const smallFiles: ReadonlyMap<string, string> = new Map([]);\n',
  'scripts/rules/old-results.table.ts': 'export const oldResults: ReadonlyMap<string, string> = new Map([]);\n',
  'bench/results/check.json': json({ command: 'node scripts/check.ts', commit: 'COMMIT' }),
};

function verdicts(files: Readonly<Record<string, string>>, subject = 'all: plant a tree') {
  const tree = plantTree({ copied: RULES, files: { ...clean, ...files } });
  const commit = 'git -c user.name=a -c user.email=a@example.org commit --quiet --allow-empty';
  tree.run(
    `git init --quiet . && echo node_modules > .gitignore && oxfmt package.json knip.json && git add scripts && ${commit} -m '${subject}' && sed -i "s/COMMIT/$(git rev-parse HEAD)/" bench/results/check.json`,
  );
  const { status, stdout, stderr } = tree.run('node scripts/check.ts');
  const results = Array.from(
    stdout.matchAll(/^(passed|FAILED) {2}([\w-]+)/gm),
    ([, verdict, name]) => `${name} ${verdict}`,
  );
  return { status, results, output: stdout + stderr };
}

const STEPS = [
  'format',
  'lint',
  'types',
  'shape',
  'unused',
  'tests-only',
  'links',
  'language',
  'glossary',
  'words',
  'sizes',
  'facts',
  'results',
  'standalone',
  'commits',
];

test('a clean tree passes every step', () => {
  const { status, results, output } = verdicts({});
  expect(results, output).toEqual(STEPS.map((step) => `${step} passed`));
  expect(status).toBe(0);
});

test('each step fails for its own violation, and so does the check', () => {
  const violations = {
    'package.json': json({ ...manifest, dependencies: { undici: '8.12.4' } }),
    'src/unformatted.ts': 'export const   a = 1 ;\n',
    'src/talks.ts': "console.log('a');\n",
    'src/mistyped.ts': 'export const a: string = 1;\n',
    'src/core/opened.ts': "import { pid } from 'node:process';\n\nexport const a = pid;\n",
    'src/core/noun.ts': `${clean['src/core/noun.ts']}export const nobodyTakesIt = 1;\nexport const tested = 1;\n`,
    'test/main.test.ts': "import { tested } from '../src/core/noun.ts';\n\nprocess.stdout.write(String(tested));\n",
    'src/nobody-imports-it.ts': 'export const a = 1;\n',
    'docs/lost.md': '[a](nowhere.md)\n[b](../README.md#elsewhere)\n`[c](only-code.md)`\n',
    'docs/dialect.md': 'A heading is no page.\n',
    'docs/outside.md': `${['..', 'shared', 'notes.md'].join('/')}\n`,
    'src/core/model/page.ts': 'export type Thingamajig = 1;\n',
    'bench/results/gone.json': json({ command: 'node bench/gone.ts 5', commit: '0' }),
    'scripts/print-words.ts': 'process.exitCode = 1;\n',
    'src/small.ts': 'export const small = 1;\n',
    'src/takes-small.ts': "import { small } from './small.ts';\n\nexport const b = small;\n",
  };
  const { status, results, output } = verdicts(violations, 'A subject without an area');
  expect(results, output).toEqual(STEPS.map((step) => `${step} FAILED`));
  expect(status).toBe(1);
  expect(output).toContain('src/nobody-imports-it.ts');
  expect(output).toContain('nobodyTakesIt');
  expect(output).toMatch(/^tested /m);
  expect(output).toMatch(/Unused dependencies \(1\)\s+undici/);
  expect(output).toContain('docs/lost.md: nowhere.md');
  expect(output).toContain('docs/lost.md: ../README.md#elsewhere');
  expect(output).not.toContain('only-code.md');
});
