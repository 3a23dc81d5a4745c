// Four TypeScript projects, each with the types of its own environment: core has neither Node nor the DOM, the server no DOM,
// the web no Node.

import { expect, test } from 'vitest';
import { plantTree } from '../../support/planted-tree.ts';

const PROJECTS = ['', '.base', '.core', '.server', '.web', '.test'].map((name) => `tsconfig${name}.json`);

const refused: Readonly<Record<string, string>> = {
  'src/core/reads-process.ts': 'export const a = process.env;\n',
  'src/core/uses-buffer.ts': "export const a = Buffer.from('');\n",
  'src/core/imports-node.ts': "import { readFileSync } from 'node:fs';\nexport const a = readFileSync;\n",
  'src/core/uses-page.ts': 'export const a = document.title;\n',
  'src/fetch/uses-page.ts': 'export const a = document.title;\n',
  'web/reads-process.ts': 'export const a = process.env;\n',
  'web/imports-node.ts': "import { readFileSync } from 'node:fs';\nexport const a = readFileSync;\n",
  'src/crawl/skips-index-check.ts': 'export const a = (b: readonly string[]): string => b[0];\n',
  'src/crawl/has-enum.ts': 'export enum A {\n  B,\n}\n',
  'src/crawl/forgets-to-return.ts': "export function f(a: 'x' | 'y') {\n  if (a === 'x') return 1;\n}\n",
  'test/wrong.test.ts': 'export const a: string = 1;\n',
};

const allowed: Readonly<Record<string, string>> = {
  'src/core/clean.ts': "export const a = new URL('https://a.dev').host + new TextDecoder().encoding;\n",
  'src/fetch/clean.ts': "import { a } from '../core/clean.ts';\nexport const b = [a, process.pid, Buffer.from('')];\n",
  'web/clean.ts': "import { a } from '../src/core/clean.ts';\nexport const b = [a, document.title];\n",
  'test/clean.test.ts': "import { b } from '../src/fetch/clean.ts';\nexport const c = b;\n",
};

test('a type of the wrong environment is rejected, and only that', () => {
  const { stdout } = plantTree({
    copied: PROJECTS,
    files: { ...refused, ...allowed, 'package.json': '{ "type": "module" }' },
  }).run('tsc -b --pretty false');
  const files = new Set(Array.from(stdout.matchAll(/^(\S+?)\(\d+,\d+\): error/gm), ([, file]) => file));
  expect(files).toEqual(new Set(Object.keys(refused)));
});

test('the clean part alone passes', () => {
  const tree = plantTree({ copied: PROJECTS, files: { ...allowed, 'package.json': '{ "type": "module" }' } });
  expect(tree.run('tsc -b --pretty false')).toMatchObject({ status: 0, stdout: '' });
});
