// The lint rules that the project relies on reject a planted violation each.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plantTree, PROJECT } from '../../support/planted-tree.ts';

interface Lint {
  readonly diagnostics: ReadonlyArray<{ readonly code: string; readonly filename: string }>;
}

const lines = (count: number, line: string): string => `${line}\n`.repeat(count);

/** Name of the oxlint rule, the file that violates it, and its text. */
const violations: ReadonlyArray<readonly [rule: string, file: string, text: string]> = [
  ['eslint(max-lines)', 'src/long-file.ts', lines(401, 'export {};')],
  ['eslint(max-lines-per-function)', 'src/long-function.ts', `export function f() {\n${lines(61, '  f();')}}\n`],
  ['eslint(max-params)', 'src/params.ts', 'export const f = (a: 1, b: 1, c: 1, d: 1, e: 1) => [a, b, c, d, e];\n'],
  [
    'eslint(max-depth)',
    'src/deep.ts',
    'export function f(a: 1) {\n  if (a) { if (a) { if (a) { if (a) { f(a); } } } }\n}\n',
  ],
  ['eslint(complexity)', 'src/complex.ts', `export const f = (a: 1) => ${'a ? 1 : '.repeat(13)}1;\n`],
  ['eslint(no-unused-vars)', 'src/unused.ts', 'const a = 1;\nexport const b = 1;\n'],
  [
    'eslint(no-restricted-imports)',
    'src/flags.ts',
    "import { setFlagsFromString } from 'node:v8';\nsetFlagsFromString('');\n",
  ],
  ['eslint(no-console)', 'src/talks.ts', "console.log('x');\n"],
  ['import(no-default-export)', 'src/by-default.ts', 'export default 1;\n'],
  ['unicorn(filename-case)', 'src/camelCase.ts', 'export const a = 1;\n'],
  ['typescript(consistent-type-imports)', 'src/types.ts', "import { A } from './a.ts';\nexport type B = A;\n"],
  ['typescript(no-explicit-any)', 'src/any.ts', 'export const a = (b: any) => b;\n'],
  ['typescript(no-floating-promises)', 'src/floats.ts', 'export const a = async () => {};\na();\n'],
  [
    'typescript(switch-exhaustiveness-check)',
    'src/switch.ts',
    "export function f(a: 'x' | 'y') {\n  switch (a) {\n    case 'x':\n      return 1;\n  }\n  return 2;\n}\n",
  ],
  ['import(no-cycle)', 'src/circle-a.ts', "import { b } from './circle-b.ts';\nexport const a = () => b;\n"],
];

interface LintRules {
  readonly rules: Readonly<Record<string, unknown>>;
  readonly overrides: ReadonlyArray<{
    readonly files: readonly string[];
    readonly rules: Readonly<Record<string, unknown>>;
  }>;
}

const config = JSON.parse(readFileSync(join(PROJECT, '.oxlintrc.json'), 'utf8')) as LintRules;
/** Folders that take time, timers, randomness and ids from platform/clock.ts. */
const CLOCKED = ['crawl', 'library', 'search', 'store', 'index', 'serve'];
const CLOCK_VIOLATIONS: ReadonlyArray<readonly [rule: string, file: string, text: string]> = [
  ['no-restricted-imports', 'sleep.ts', "import { setTimeout } from 'node:timers/promises';\nawait setTimeout(1);\n"],
  ['no-restricted-imports', 'timers.ts', "import { setInterval } from 'node:timers';\nsetInterval(String, 1);\n"],
  ['no-restricted-imports', 'hooks.ts', "import { performance } from 'node:perf_hooks';\nperformance.now();\n"],
  ['no-restricted-imports', 'uuid.ts', "import { randomUUID } from 'node:crypto';\nrandomUUID();\n"],
  ['no-restricted-imports', 'bytes.ts', "import { randomBytes } from 'node:crypto';\nrandomBytes(1);\n"],
  ['no-restricted-globals', 'timeout.ts', 'setTimeout(String, 1);\n'],
  ['no-restricted-globals', 'interval.ts', 'setInterval(String, 1);\n'],
  ['no-restricted-globals', 'immediate.ts', 'setImmediate(String);\n'],
  ['no-restricted-globals', 'elapsed.ts', 'export const elapsed = () => performance.now();\n'],
  ['no-restricted-properties', 'now.ts', 'export const now = () => Date.now();\n'],
  ['no-restricted-properties', 'chance.ts', 'export const chance = () => Math.random();\n'],
  ['no-restricted-properties', 'deadline.ts', 'export const deadline = () => AbortSignal.timeout(1);\n'],
  ['no-restricted-properties', 'values.ts', 'export const fill = (to) => globalThis.crypto.getRandomValues(to);\n'],
  ['no-restricted-properties', 'id.ts', 'export const id = () => globalThis.crypto.randomUUID();\n'],
];

const ofCore = config.overrides.find(({ files }) => files.includes('src/core/**'))?.rules ?? {};
const [, ...CORE_GLOBALS] = ofCore['no-restricted-globals'] as string[];

const tree = () =>
  plantTree({
    copied: ['.oxlintrc.json', 'tsconfig.base.json'],
    files: {
      'tsconfig.json':
        '{ "extends": "./tsconfig.base.json", "include": ["src"], "compilerOptions": { "noEmit": true } }',
      'src/a.ts': 'export type A = 1;\n',
      'src/circle-b.ts': "import { a } from './circle-a.ts';\nexport const b = () => a;\n",
      'src/core/globals.ts': CORE_GLOBALS.map((name) => `export const ${name}1 = ${name};\n`).join(''),
      'src/core/now.ts': 'export const now = () => Date.now();\n',
      'src/core/chance.ts': 'export const chance = () => Math.random();\n',
      'src/platform/now.ts': 'export const now = () => [Date.now(), performance, fetch];\n',
      ...Object.fromEntries(
        CLOCKED.flatMap((folder) => CLOCK_VIOLATIONS.map(([, file, text]) => [`src/${folder}/${file}`, text])),
      ),
      ...Object.fromEntries(violations.map(([, file, text]) => [file, text])),
    },
  });

test('each planted violation is rejected by its rule', () => {
  const { stdout, stderr } = tree().run('oxlint --type-aware --format json src');
  expect(stdout, stderr).toContain('diagnostics');
  const { diagnostics } = JSON.parse(stdout) as Lint;
  const refused = diagnostics.map(({ code, filename }) => `${code} ${filename}`);

  for (const [rule, file] of violations) expect(refused).toContain(`${rule} ${file}`);
  for (const folder of CLOCKED)
    for (const [rule, file] of CLOCK_VIOLATIONS) expect(refused).toContain(`eslint(${rule}) src/${folder}/${file}`);
  const globals = refused.filter((line) => line === 'eslint(no-restricted-globals) src/core/globals.ts');
  expect(CORE_GLOBALS).toContain('fetch');
  expect(globals).toHaveLength(CORE_GLOBALS.length);
  expect(refused).toContain('eslint(no-restricted-properties) src/core/now.ts');
  expect(refused).toContain('eslint(no-restricted-properties) src/core/chance.ts');
  expect(refused.filter((line) => line.endsWith('src/platform/now.ts') || line.endsWith('src/a.ts'))).toEqual([]);
});

test('every rule set to error by name has a planted violation, or is listed with its reason', () => {
  const testedInOtherFiles = [
    'import/max-dependencies', // fifteen files for one figure
    'oxc/no-barrel-file', // judges by the number of modules behind a file
  ];
  const set = Object.entries(config.rules).filter(([, level]) => level === 'error' || Array.isArray(level));
  const planted = new Set(violations.map(([rule]) => rule));
  const missing = set.filter(([name]) => {
    const [plugin, rule] = name.includes('/') ? name.split('/') : ['eslint', name];
    return !planted.has(`${plugin}(${rule})`) && !testedInOtherFiles.includes(name);
  });
  expect(missing).toEqual([]);
});
