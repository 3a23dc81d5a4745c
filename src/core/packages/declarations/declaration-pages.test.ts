import { expect, test } from 'vitest';
import { packageFolder } from '../../../../test/support/package-folder.ts';
import { workMs } from '../../../../test/support/work-time.ts';
import { bundleLimits } from '../../chunk/chunker.ts';
import { markdownChunker } from '../../chunk/markdown/markdown-chunker.ts';
import { createExtractorRegistry } from '../../extract/extractor-registry.ts';
import { extractors } from '../../extract/extractors.ts';
import { splitSymbols } from '../../model/document.ts';
import { pageUrl } from '../../model/page-url.ts';
import type { PackagePage } from '../symbol-page.ts';
import { declarationPages } from './declaration-pages.ts';

const TYPES = { types: 'index.d.ts' };
const pagesOf = (files: Readonly<Record<string, string>>, fields: Readonly<Record<string, unknown>> = TYPES) =>
  declarationPages(packageFolder(files, fields)).pages;
const namesOf = (pages: readonly PackagePage[]): string[] =>
  pages.flatMap(({ symbols }) => symbols.map(({ name }) => name)).toSorted();
const only = (text: string): PackagePage => {
  const [page] = pagesOf({ 'index.d.ts': text });
  if (page === undefined) throw new Error('no page');
  return page;
};

const kettle = `
/** What a kettle is made of. */
export interface KettleOptions {
  /** How long to wait, in seconds. @default 30 */
  timeout?: number;
  /** @deprecated Use {@link KettleOptions.timeout}. */
  wait?: number;
  /** @internal */
  secret?: string;
}
/**
 * Boils water.
 *
 * @param litres - How much
 *   water there is.
 * @returns When it {@link https://kettle.test/boil | boils}.
 * @example
 * boil(2);
 */
export declare function boil(litres: number): Promise<void>;
/** Boils water at a pressure. */
export declare function boil(litres: number, bar: number): Promise<void>;
export declare class Kettle<T = string> {
  private heat;
  #element: number;
  /**
   * Fills it.
   *
   * Never over the mark.
   */
  fill(litres: number): this;
  readonly size: number;
}
/** @internal */
export declare function descale(): void;
declare const hidden: number;
export {};
`;

test('a page has a section for each exported symbol, with signature and comment', () => {
  const { text, title, symbols } = only(kettle);
  expect(title).toBe('kettle');
  expect(text).toContain('Import from `kettle`.');
  expect(text).toContain('## `boil`\n\n```ts\nfunction boil(litres: number): Promise<void>;\nfunction boil(');
  expect(text).toContain('- `litres`: How much\n    water there is.');
  expect(text).toContain('Returns: When it [boils](https://kettle.test/boil).');
  expect(text).toContain('Example:\n\n```ts\nboil(2);\n```');
  expect(text).toContain('- `timeout?: number`: How long to wait, in seconds. @default 30');
  expect(text).toContain('- `wait?: number`: **Deprecated.** Use `KettleOptions.timeout`.');
  expect(text).toContain(
    '### `Kettle.fill`\n\n```ts\nfill(litres: number): this\n```\n\nFills it.\n\nNever over the mark.',
  );
  expect(text).toContain('class Kettle<T = string> {\n  readonly size: number;\n}');
  expect(symbols.filter(({ deprecated }) => deprecated)).toEqual([{ name: 'KettleOptions.wait', deprecated: true }]);
});

test('an interface that is declared for each group of its members has its header once', () => {
  const groups = ['chunk', 'compact'].map(
    (name) =>
      `export interface Lib {\n  /** Makes a ${name}.\n   * @returns Returns the ${name}. */\n  ${name}(): void;\n}\n`,
  );
  const { text } = only(`${groups.join('')}export interface Lib {\n  plain(): void;\n}\n`);
  expect(text.match(/interface Lib/g)).toHaveLength(1);
  expect(text).toContain('interface Lib {\n  plain(): void;\n}');
  expect(text).toContain('Makes a chunk.\n\nReturns the chunk.');
});

test('what is private, internal or not exported has no symbol', () => {
  const page = only(kettle);
  expect(namesOf([page])).toEqual([
    'Kettle',
    'Kettle.fill',
    'KettleOptions',
    'KettleOptions.timeout',
    'KettleOptions.wait',
    'boil',
  ]);
  expect(page.text).not.toMatch(/heat|element|secret|descale|hidden/);
});

test('chunks carry the symbols of their sections, and anchors', () => {
  const { mediaType, text, symbols } = only(kettle);
  const registry = createExtractorRegistry(extractors);
  const body = new TextEncoder().encode(text);
  const { document } = registry.extract({ url: pageUrl('file:///index.d.ts'), mediaType, body });
  const { chunks } = markdownChunker.chunk(document, bundleLimits);
  const found = chunks.flatMap(({ symbol }) => (symbol === null ? [] : splitSymbols(symbol)));
  expect(found.toSorted()).toEqual(symbols.map(({ name }) => name).toSorted());
  expect(chunks.find(({ symbol }) => symbol === 'Kettle.fill')).toMatchObject({
    anchor: 'kettlefill',
    headings: ['kettle', 'Kettle', 'Kettle.fill'],
  });
});

test('a heading has the public name of a symbol, and its aliases are symbols of the section', () => {
  const page = only('/** Boils. */\nexport declare function boil(): void;\nexport { boil as heat, boil as cook };');
  expect(page.text).toContain(
    '## `boil`\n\n```ts\nfunction boil(): void;\n```\n\nBoils.\n\nAlso exported as `heat`, `cook`.',
  );
  expect(page.symbols.map(({ name }) => name)).toEqual(['boil', 'heat', 'cook']);
  const body = new TextEncoder().encode(page.text);
  const input = { url: pageUrl('file:///index.d.ts'), mediaType: page.mediaType, body };
  const { document } = createExtractorRegistry(extractors).extract(input);
  const { chunks } = markdownChunker.chunk(document, bundleLimits);
  expect(chunks.map(({ symbol, anchor }) => [symbol === null ? [] : splitSymbols(symbol), anchor])).toContainEqual([
    ['boil', 'heat', 'cook'],
    'boil',
  ]);
});

test('re-exports lead to the file that declares the symbol', () => {
  const pages = pagesOf({
    'index.d.ts': `export * from './heat.js'; export { Lid as Cover, type Lid } from './parts/lid';
      export * as parts from './parts/lid'; import Spout from './parts/spout'; export { Spout }; export * from 'other';`,
    'heat.d.ts': 'export declare const heat: number;',
    'parts/lid.d.ts': 'export interface Lid { open: boolean }\nexport type Knob = string',
    'parts/spout/index.d.ts': 'declare class Spout {}\nexport default Spout;',
  });
  expect(pages.map(({ path }) => path)).toEqual([
    'heat.d.ts',
    'index.d.ts',
    'parts/lid.d.ts',
    'parts/spout/index.d.ts',
  ]);
  expect(namesOf(pages)).toEqual(['Cover', 'Lid', 'Spout', 'heat', 'parts', 'parts.Knob', 'parts.Lid']);
  expect(pages.find(({ path }) => path === 'index.d.ts')?.text).toContain('- from `other`: everything');
});

test.each([
  [
    'export = with a namespace',
    'declare function k(): void;\ndeclare namespace k { interface Options { a: 1 } }\nexport = k;',
    ['Options', 'k'],
  ],
  [
    'export = with the type of a constant',
    'declare const k: k.Static;\ndeclare namespace k { interface Static {\n/** Adds.\n\nTwice. */\nadd(): void } }\nexport = k;',
    ['Static', 'Static.add', 'add', 'k'],
  ],
  ['a default export', 'export default class Pot {}', ['Pot']],
  ['implicit exports of a declaration file', 'import "x";\ndeclare const a: 1;\nexport interface B {}', ['B', 'a']],
  ['no implicit exports after an export declaration', 'declare const a: 1;\ninterface B {}\nexport { a };', ['a']],
  ['several variables', 'export declare const a: Map<string, number>, b: string;', ['a', 'b']],
  [
    'statements without semicolons',
    'export type A =\n  | "type"\n  | B\nexport type B = { a: 1 }\nexport const c: typeof import("x")\nexport enum D { E = 1 << 2, F }',
    ['A', 'B', 'D', 'c'],
  ],
  [
    'template literal types',
    'export type A = `${B extends "}" ? `x${string}` : "`"}`;\nexport type B = "b";',
    ['A', 'B'],
  ],
  [
    'type parameters over lines',
    'export declare function f<\n  const T extends string,\n>(a: T): void;\nexport type G = 1',
    ['G', 'f'],
  ],
  ['globals', 'export {};\ndeclare global { interface Window { kettle: 1 } }', ['Window']],
])('%s', (_name, text, expected) => {
  expect(namesOf(pagesOf({ 'index.d.ts': text }))).toEqual(expected);
});

test('a script declares modules by name, and references further files', () => {
  const files = {
    'index.d.ts': '/// <reference path="fs.d.ts" />\ndeclare module "node:path" { function join(): string; }',
    'fs.d.ts':
      'declare module "fs" { export function read(): void; }\ndeclare module "node:fs" { export * from "fs"; }',
  };
  expect(namesOf(pagesOf(files, { ...TYPES, name: '@types/node' }))).toEqual(['fs.read', 'path.join']);
});

test('an unexported type with comments that an exported one mentions is described without a symbol', () => {
  const { text, symbols } = only(
    'type Base = {\n  /** How hot. */\n  heat: number };\nexport type All = Base & { a: 1 };\nexport {};',
  );
  expect(symbols.map(({ name }) => name)).toEqual(['All']);
  expect(text).toContain('## Base (not exported by name)');
  expect(text).toContain('How hot.');
});

test.each([
  ['conditions', { '.': { import: { types: './esm/a.d.mts' }, require: { types: './cjs/a.d.cts' } } }, ['esm/a.d.mts']],
  ['a script beside its declarations', './lib/a.js', ['lib/a.d.ts']],
  ['a null target', { '.': './lib/a.js', './lib/b': null }, ['lib/a.d.ts']],
  ['a pattern', { './*': './lib/*.js' }, ['lib/a.d.ts', 'lib/b.d.ts']],
  ['an old compiler', { '.': { 'types@<5.4': './old.d.ts', default: './lib/b.js' } }, ['lib/b.d.ts']],
  ['nested arrays', { '.': [{ types: './missing.d.ts' }, './lib/b.js'] }, ['lib/b.d.ts']],
])('exports with %s', (_name, exports, expected) => {
  const text = 'export declare const a: 1;';
  const paths = ['esm/a.d.mts', 'cjs/a.d.cts', 'lib/a.d.ts', 'lib/b.d.ts', 'old.d.ts'];
  const files = Object.fromEntries(paths.map((path) => [path, text]));
  expect(pagesOf(files, { exports }).map(({ path }) => path)).toEqual(expected);
});

test.each([
  [
    'a file for require beside one for import',
    { '.': { types: './index.d.cts', import: './index.js', require: './index.cjs' } },
    { 'index.d.ts': "export * from './a.js';", 'index.d.cts': "export * from './a.cjs';" },
    ['a.d.ts'],
  ],
  [
    'a file for import beside a plain one',
    { '.': { import: { types: './a.d.mts' }, require: { types: './a.d.ts' } } },
    { 'a.d.mts': 'export declare const a: 1;\n//# sourceMappingURL=a.d.mts.map' },
    ['a.d.ts'],
  ],
  [
    'folders for both systems, by a pattern',
    { './*': { import: './esm/*.js', require: './cjs/*.js' } },
    { 'esm/a.d.ts': 'export declare const a: 1;', 'cjs/a.d.ts': 'export declare const a: 1;' },
    ['esm/a.d.ts'],
  ],
  [
    'a folder whose copy is the main entry',
    './cjs/a.js',
    { 'esm/a.d.ts': 'export {};\nexport declare const a: 1;', 'cjs/a.d.ts': 'export {};\nexport declare const a: 1;' },
    ['esm/a.d.ts'],
  ],
  [
    'a default export for require',
    { '.': { require: './a.cjs' } },
    {
      'a.d.ts': "import type * as b from './b.js';\nexport default function (): { b: b.B };\n",
      'a.d.cts': "import type * as b from './b.cjs';\ndeclare function _default(): { b: b.B };\nexport = _default;\n",
    },
    ['a.d.ts'],
  ],
  ['a file with other contents', './a.cjs', { 'a.d.cts': 'declare const a: 1;\nexport = a;' }, ['a.d.cts']],
])('copies of declarations are one page: %s', (_name, exports, files, expected) => {
  const all = { 'a.d.ts': 'export declare const a: 1;', 'a.d.cts': 'export declare const a: 1;', ...files };
  expect(pagesOf(all, { exports }).map(({ path }) => path)).toEqual(expected);
});

test('[project-07] entries that lead out of the folder are rejected, wherever the manifest names them', () => {
  const target = '../../../etc/secrets.d.ts';
  const files = {
    'index.d.ts': `export * from '${target}';\n/// <reference path="${target}" />`,
    [target]: 'export const secret: 1;',
  };
  for (const path of [target, `./${target}`, '/etc/secrets.d.ts', 'file:///etc/secrets.d.ts', 'a\\..\\..\\b.d.ts']) {
    const manifests = [
      { exports: path },
      { exports: { './*': path } },
      { types: path },
      { main: path },
      { typesVersions: { '*': { '*': [path] } } },
    ];
    for (const fields of manifests) {
      const read: string[] = [];
      const folder = packageFolder(files, fields);
      declarationPages({ ...folder, read: (file) => (read.push(file), folder.read(file)) });
      expect(read.filter((file) => file.includes('secrets'))).toEqual([]);
    }
  }
});

test('fields of any type are no reason to fail', () => {
  for (const value of [null, 1, [], {}, [[]], { '.': 1 }, { '.': { types: {} } }, { types: [1, null] }, '']) {
    for (const field of ['exports', 'types', 'main', 'typesVersions', 'imports']) {
      expect(() => pagesOf({ 'index.d.ts': 'import "#a"; export const a: 1;' }, { [field]: value })).not.toThrow();
    }
  }
});

test('cyclic re-exports end', () => {
  const pages = pagesOf({
    'index.d.ts': "export * from './a'; export { lost } from './a'; import self = require('./index'); export { self };",
    'a.d.ts': "export * from './b'; export { lost } from './b'; export declare const a: 1;",
    'b.d.ts': "export * from './a'; export { lost } from './a'; export * from './index'; export declare const b: 1;",
    'c.d.ts': "import c = require('./c'); export = c;",
  });
  expect(namesOf(pages)).toEqual(expect.arrayContaining(['a', 'b']));
  expect(namesOf(pages)).not.toContain('lost');
});

test('a declaration file of 5 MB is read in bounded time', () => {
  const one = (nth: number): string =>
    `/** Symbol ${nth}. @deprecated no */\nexport interface I${nth}<T> extends J { /** A member. */ a${nth}: Map<string, { b: T }>; }\n`;
  const text = Array.from({ length: 45_000 }, (_, nth) => one(nth)).join('');
  expect(text.length).toBeGreaterThan(5_000_000);
  let pages: readonly PackagePage[] = [];
  expect(workMs(() => (pages = pagesOf({ 'index.d.ts': text })))).toBeLessThan(8000);
  expect(pages[0]?.symbols.length).toBeGreaterThan(45_000);
});

test('[project-14] hostile texts are read in bounded time', () => {
  const many = (text: string, times: number): string => text.repeat(times);
  const texts = [
    many('(', 300_000),
    `${many('(', 150_000)}${many('}', 150_000)}`,
    `export type A = ${many('<', 200_000)}`,
    `export type A = ${many('`${', 100_000)}`,
    `export ${many('namespace a { ', 20_000)}`,
    many('export * from "./index";', 20_000),
    `export declare class A {${many('get a(): 1; ', 100_000)}}`,
    `export namespace ${many('A.', 100_000)}A { const a: 1 }`,
    many('export declare function f(): void;\n', 20_000),
    `export interface A {${many(' a: B | {', 30_000)}`,
    `/** ${many('{@link ', 50_000)} */ export const a: 1;`,
    many('/**', 200_000),
    many('export { a as b } from "./index";', 20_000),
  ];
  for (const text of texts) expect(workMs(() => pagesOf({ 'index.d.ts': text }))).toBeLessThan(5000);
});

test('a long chain of re-exports ends with a limit, not with the stack', () => {
  const files = Object.fromEntries(
    Array.from({ length: 3000 }, (_, nth) => [
      `m${nth}.d.ts`,
      `export * from './m${nth + 1}'; export { x } from './m${nth + 1}';`,
    ]),
  );
  expect(workMs(() => pagesOf({ ...files, 'index.d.ts': "export * from './m0';" }))).toBeLessThan(5000);
});

test('text in a comment does not change the structure of the page', () => {
  const { text, symbols } = only(
    '/**\n * # `evil`\n *\n * <!-- hidden\n *\n * ```ts\n * never closed\n */\nexport const a: 1;\n/** B. */\nexport const b: 1;',
  );
  expect(symbols.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(text).not.toContain('<!--');
  expect(text.match(/^## /gm)).toHaveLength(2);
  expect(text.match(/^```/gm)!.length % 2).toBe(0);
});

test('the same folder gives the same pages in any order of its files', () => {
  const files = {
    'index.d.ts': "export * from './a'; export * from './b';",
    'a.d.ts': 'export const a: 1;',
    'b.d.ts': 'export const b: 1;',
  };
  const reversed = Object.fromEntries(Object.entries(files).toReversed());
  expect(pagesOf(reversed)).toEqual(pagesOf(files));
});
