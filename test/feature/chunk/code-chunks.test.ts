// Code is chunked by definition in every language that has a grammar.

import { beforeAll, describe, expect, test } from 'vitest';
import { createChunkers } from '../../../src/core/chunk/chunkers.ts';
import { createGrammarLoader } from '../../../src/core/chunk/code/grammar-loader.ts';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import type { RunId } from '../../../src/core/model/run.ts';
import { reportedChunkProblem } from '../../../src/crawl/context/report-problem.ts';
import { grammars } from '../../../src/core/chunk/code/grammars.table.ts';
import { joinChunks } from '../../../src/core/chunk/finalize-chunks.ts';
import { createNodeGrammarFiles } from '../../../src/parse/node-grammar-files.ts';
import { bundleLimits } from '../../../src/core/chunk/chunker.ts';
import { splitSymbols } from '../../../src/core/model/document.ts';
import { documentFixture } from '../../support/document-fixture.ts';

const files = createNodeGrammarFiles();
const chunkers = createChunkers(createGrammarLoader(files));
const limits = { targetChars: 40, capChars: 400, maxChunks: 100 };

const samples: ReadonlyArray<readonly [string, string, ReadonlyArray<string | null>]> = [
  [
    'typescript',
    'type A = 1;\ninterface B {}\nenum C {}\nnamespace N { export function deep(a: number, b: number) {} }\n',
    ['A', 'B', 'C', 'N', 'N.deep'],
  ],
  ['tsx', 'export function View() {\n  return <p>a</p>;\n}\n', ['View']],
  [
    'javascript',
    'import a from "a";\nfunction one() {}\nexport const two = () => 1;\nclass Three { four() { return 4; } five() {} }\n',
    [null, 'one', 'two', 'Three', 'Three.four', 'Three.five'],
  ],
  ['jsx', 'const View = () => <p>a</p>;\n', ['View']],
  [
    'python',
    '@wrap\ndef one():\n    pass\n\nclass Two:\n    def three(self):\n        return "a long enough text"\n',
    ['one', 'Two', 'Two.three'],
  ],
  ['go', 'package a\n\ntype S struct{}\n\nfunc (s *S) Serve() {}\n\nfunc main() {}\n', [null, 'S', 'S.Serve', 'main']],
  [
    'rust',
    'struct P;\nimpl P {\n    /// Says.\n    fn one(&self) {}\n    fn two() {}\n}\nfn main() {}\n',
    ['P', 'P', 'P.one', 'P.two', 'main'],
  ],
  ['java', 'class A {\n  int x;\n  /** Says. */\n  void one() {}\n  void two() {}\n}\n', ['A', 'A.one', 'A.two']],
  ['c', 'struct s { int a; };\nint *one(int a) { return 0; }\n', ['s', 'one']],
  [
    'cpp',
    'namespace n {\nclass C { void one(); };\ntemplate <class T> T two(T t) { return t; }\n}\n',
    ['n', 'n.C', 'n.two'],
  ],
  [
    'csharp',
    'namespace N {\n  class C {\n    void One() { }\n    int Two { get; set; }\n  }\n}\n',
    ['N', 'N.C', 'N.C.One', 'N.C.Two'],
  ],
  [
    'ruby',
    'module M\n  class C\n    def one; end\n    def self.two\n      1\n    end\n  end\nend\n',
    ['M', 'M.C', 'M.C.one', 'M.C.two'],
  ],
  [
    'php',
    '<?php\nfunction one() {}\nclass C { public function two() {} function three() {} }\n',
    [null, 'one', 'C', 'C.two', 'C.three'],
  ],
  ['shell', '#!/bin/sh\nset -e\none() {\n  echo 1\n}\none\n', [null, 'one', null]],
];

beforeAll(async () => {
  for (const [language] of samples) await chunkers.prepare({ format: 'code', codeLanguage: language });
});

describe('each definition has a chunk with its symbol', () => {
  test.each(samples)('%s', (language, text, symbols) => {
    const result = chunkers.chunk(documentFixture(text, { format: 'code', codeLanguage: language }), limits);
    expect(result.chunks.map(({ symbol }) => symbol)).toEqual(symbols);
    expect(result.warnings).toEqual([]);
    expect(joinChunks(result)).toBe(text.trimEnd());
  });

  test.each(samples)('%s, in one chunk with what contains it if that fits', (language, text, symbols) => {
    const document = documentFixture(text, { format: 'code', codeLanguage: language });
    const { chunks } = chunkers.chunk(document, bundleLimits);
    const names = chunks.flatMap(({ symbol }) => (symbol === null ? [] : splitSymbols(symbol)));
    expect(names.toSorted()).toEqual(symbols.filter((symbol) => symbol !== null).toSorted());
  });

  test('[C1] every grammar has a sample', () => {
    const sampled = new Set(samples.map(([language]) => grammars[language]?.file));
    expect(Object.values(grammars).filter(({ file }) => !sampled.has(file))).toEqual([]);
  });
});

test('a language without a grammar is chunked as text, with a warning', () => {
  const result = chunkers.chunk(documentFixture('x = 1\n', { format: 'code', codeLanguage: 'lua' }), limits);
  expect(result.warnings).toEqual([{ kind: 'cut-as-text', format: 'code', reason: 'no grammar exists for lua' }]);
});

test('[C3] code with a syntax error keeps the definitions around it', () => {
  const text = 'function good() {}\n\nfunction bad( {{{ ;;\n';
  const { chunks } = chunkers.chunk(documentFixture(text, { format: 'code', codeLanguage: 'javascript' }), limits);
  expect(chunks.map(({ symbol }) => symbol)).toContain('good');
});

test('[C1] the error for a missing grammar names the package to install', async () => {
  const none = createGrammarLoader({ ...files, grammar: async () => null });
  await expect(none.prepare('python')).rejects.toMatchObject({
    code: 'chunk.grammar-missing',
    nextStep: 'Run: npm install @vscode/tree-sitter-wasm@0.3.1',
  });
});

test('[C1] code without its grammar is cut as text until it is installed (finding T4.1)', async () => {
  const document = documentFixture('def f():\n    return 1\n', { format: 'code', codeLanguage: 'python' });
  const without = createChunkers(createGrammarLoader({ ...files, grammar: async () => null }));
  await without.prepare(document);
  const { chunks, warnings } = without.chunk(document, limits);
  expect(chunks.map(({ text }) => text).join('')).toBe('def f():\n    return 1');
  expect(warnings).toMatchObject([{ kind: 'cut-as-text', install: '@vscode/tree-sitter-wasm@0.3.1' }]);
  expect(without.versionOf(document)).toBe('cut-as-text.python@1');
  expect(await without.versions()).toContain('cut-as-text.python@1');
  expect(await chunkers.versions()).not.toContain('cut-as-text.python@1');
});

test('a missing grammar is one problem, and a language without one is none (finding T4.5)', () => {
  const cut = { kind: 'cut-as-text', format: 'code', reason: 'no grammar' } as const;
  const at = (path: string) => ({ run: 1 as RunId, url: pageUrl(`file:///${path}`) });
  expect(reportedChunkProblem(at('a.css'), cut)).toBeNull();
  const missing = ['a.py', 'b.py'].map((path) => reportedChunkProblem(at(path), { ...cut, install: 'grammars@1' }));
  const once = { kind: 'grammar-missing', scope: 'run', target: 'grammars@1' };
  expect(missing).toMatchObject([once, once]);
});

test('a grammar file with another hash is rejected', async () => {
  const other = createGrammarLoader({ ...files, grammar: async () => new Uint8Array(8) });
  await expect(other.prepare('python')).rejects.toMatchObject({ code: 'chunk.grammar-missing' });
});

test('a language that was not prepared is an error, never a silent fallback', () => {
  const cold = createChunkers(createGrammarLoader(files));
  const document = documentFixture('x = 1\n', { format: 'code', codeLanguage: 'python' });
  expect(() => cold.chunk(document, limits)).toThrow(/No grammar is installed for python/);
});
