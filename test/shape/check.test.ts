// `npm run check` runs every tool, tells each one's verdict and fails when one of them does.

import { expect, test } from 'vitest';
import { plantTree } from './planted-tree.ts';

const RULES = [
  '.dependency-cruiser.cjs',
  '.oxfmtrc.json',
  '.oxlintrc.json',
  'scripts/check-links.ts',
  'scripts/check.ts',
  ...['', '.base', '.core', '.server', '.web', '.test'].map((name) => `tsconfig${name}.json`),
];

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const manifest = { name: 'planted', type: 'module', devDependencies: { typescript: '7.0.2' } };

const clean = {
  'package.json': json(manifest),
  'knip.json': json({
    entry: ['src/main.ts', 'web/page.ts', 'test/main.test.ts'],
    project: ['src/**/*.ts', 'web/**/*.ts', 'test/**/*.ts'],
    ignoreDependencies: ['typescript'],
  }),
  'src/core/noun.ts': "export const noun = 'a';\n",
  'src/main.ts': "import { noun } from './core/noun.ts';\n\nprocess.stdout.write(noun);\n",
  'web/page.ts': "import { noun } from '../src/core/noun.ts';\n\ndocument.title = noun;\n",
  'test/main.test.ts': "import { noun } from '../src/core/noun.ts';\n\nprocess.stdout.write(noun);\n",
  'README.md': '# Planted\n\n[itself](README.md#planted)\n',
};

function verdicts(files: Readonly<Record<string, string>>) {
  const tree = plantTree({ copied: RULES, files: { ...clean, ...files } });
  tree.run('git init --quiet . && echo node_modules > .gitignore && oxfmt package.json knip.json');
  const { status, stdout, stderr } = tree.run('node scripts/check.ts');
  const told = Array.from(stdout.matchAll(/^(held|BROKEN) {2}(\w+)/gm), ([, verdict, name]) => `${name} ${verdict}`);
  return { status, told, output: stdout + stderr };
}

const STEPS = ['format', 'lint', 'types', 'shape', 'unused', 'links'];

test('a clean tree passes every step', () => {
  const { status, told, output } = verdicts({});
  expect(told, output).toEqual(STEPS.map((step) => `${step} held`));
  expect(status).toBe(0);
});

test('each step is broken by its own fault, and the gate fails', () => {
  const { status, told, output } = verdicts({
    'package.json': json({ ...manifest, dependencies: { undici: '8.12.4' } }),
    'src/unformatted.ts': 'export const   a = 1 ;\n',
    'src/talks.ts': "console.log('a');\n",
    'src/mistyped.ts': 'export const a: string = 1;\n',
    'src/core/opened.ts': "import { pid } from 'node:process';\n\nexport const a = pid;\n",
    'src/core/noun.ts': `${clean['src/core/noun.ts']}export const nobodyTakesIt = 1;\n`,
    'src/nobody-imports-it.ts': 'export const a = 1;\n',
    'docs/lost.md': '[a](nowhere.md)\n[b](../README.md#elsewhere)\n`[c](only-code.md)`\n',
  });
  expect(told, output).toEqual(STEPS.map((step) => `${step} BROKEN`));
  expect(status).toBe(1);
  expect(output).toContain('src/nobody-imports-it.ts');
  expect(output).toContain('nobodyTakesIt');
  expect(output).toMatch(/Unused dependencies \(1\)\s+undici/);
  expect(output).toContain('docs/lost.md: nowhere.md leads nowhere');
  expect(output).toContain('docs/lost.md: ../README.md#elsewhere names no heading');
  expect(output).not.toContain('only-code.md');
});
