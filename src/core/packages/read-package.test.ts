import { beforeAll, expect, test } from 'vitest';
import { packageFolder } from '../../../test/support/package-folder.ts';
import { workMs } from '../../../test/support/work-time.ts';
import { createNodeGrammarFiles } from '../../parse/node-grammar-files.ts';
import { createGrammarLoader } from '../chunk/code/grammar-loader.ts';
import type { ReaderEcosystem } from './package-folder.ts';
import { packageLanguages, readPackage, type PackageDocumentation } from './read-package.ts';

const grammars = createGrammarLoader(createNodeGrammarFiles());
const read = (ecosystem: ReaderEcosystem, files: Readonly<Record<string, string>>): PackageDocumentation =>
  readPackage(packageFolder(files, {}, ecosystem), grammars);
const symbolsOf = ({ pages }: PackageDocumentation): Record<string, boolean> =>
  Object.fromEntries(pages.flatMap(({ symbols }) => symbols.map(({ name, deprecated }) => [name, deprecated])));

beforeAll(async () => {
  for (const ecosystem of ['npm', 'python', 'rust', 'go'] as const)
    for (const language of packageLanguages({ ecosystem })) await grammars.prepare(language);
});

test('files are documentation as they are; declarations and old changelogs become pages', () => {
  const { files, sources, pages } = read('npm', {
    'README.md': '# Kettle',
    'index.d.ts': 'export const a: 1;',
    'lib/a.js': 'x',
    'CHANGELOG.md': '## 2.0.0\n\nNew.\n\n## 1.0.0\n\nOld.\n',
  });
  expect(files.map(({ path }) => path)).toEqual(['README.md']);
  expect(sources.map(({ path }) => path)).toEqual(['lib/a.js']);
  expect(pages.map(({ path, mediaType }) => [path, mediaType])).toEqual([
    ['CHANGELOG.md', 'text/markdown'],
    ['index.d.ts', 'text/vnd.pinakes.declarations'],
  ]);
});

test('Python: docstrings of public names, by the name that a program imports', () => {
  const result = read('python', {
    'kettle/__init__.py': '"""Boils water."""\nfrom ._heat import Element as Element\nfrom .pot import boil\n',
    'kettle/_heat.py':
      'class Element:\n    """Heats."""\n    def on(self) -> None:\n        """Switches it on.\n\n        :param watts: how much\n        """\n    def _off(self): "no"\ndef hidden(): "no"\n',
    'kettle/pot.py':
      '"""Pots."""\ndef boil(litres: int,\n         *, bar=1) -> str:\n    """Boils.\n\n    .. deprecated:: 2.0\n       Use x.\n\n    Example::\n\n        boil(2)\n    """\n    return ""\n\nLIMIT = 3\n"""The most."""\n',
    'kettle/pot.pyi': 'def boil() -> str: ...\n',
    'kettle/tests/test_pot.py': 'def test_it(): "x"\n',
    'kettle-2.1.0.dist-info/METADATA':
      'Metadata-Version: 2.1\nName: kettle\nDescription-Content-Type: text/markdown\n\n# Kettle\n\nA README.\n',
  });
  expect(symbolsOf(result)).toEqual({
    'kettle.Element': false,
    'kettle.Element.on': false,
    'kettle.boil': true,
    'kettle.pot.boil': true,
    'kettle.pot.LIMIT': false,
  });
  const page = (path: string) => result.pages.find((candidate) => candidate.path === path);
  expect(page('kettle-2.1.0.dist-info/METADATA')).toMatchObject({
    mediaType: 'text/markdown',
    text: '# Kettle\n\nA README.\n',
  });
  expect(page('kettle/pot.py')?.text).toContain('```python\ndef boil(litres: int,\n         *, bar=1) -> str:\n```');
  expect(page('kettle/pot.py')?.text).toContain('Example:\n\n```python\nboil(2)\n```');
  expect(page('kettle/_heat.py')?.text).toContain('- param `watts`: how much');
});

test('Rust: doc comments of public items', () => {
  const result = read('rust', {
    'src/lib.rs':
      '//! Boils water.\n\n/// A kettle.\n///\n/// # Examples\n///\n/// ```\n/// # use kettle::Kettle;\n/// Kettle::new();\n/// ```\npub struct Kettle { /// How hot.\n pub heat: u8, secret: u8 }\nimpl Kettle {\n    /// Makes one.\n    pub fn new() -> Self { Kettle {} }\n    pub(crate) fn inner(&self) {}\n}\nimpl Drop for Kettle { fn drop(&mut self) {} }\n/// Boils.\n#[deprecated(since = "2.0", note = "use heat")]\npub fn boil() {}\n#[doc(hidden)]\npub fn __private() {}\ncfg_rt! {\n    /// In a macro.\n    pub fn spawn() {}\n}\npub trait Pour { /// Pours.\n fn pour(&self); }\n',
    'tests/a.rs': 'pub fn t() {}',
  });
  expect(symbolsOf(result)).toEqual({
    'kettle::Kettle': false,
    'kettle::Kettle::heat': false,
    'kettle::Kettle::new': false,
    'kettle::boil': true,
    'kettle::spawn': false,
    'kettle::Pour': false,
    'kettle::Pour::pour': false,
  });
  const [page] = result.pages;
  expect(page?.text).toContain('# kettle\n\nBoils water.');
  expect(page?.text).toContain('**Examples**\n\n```rust\nKettle::new();\n```');
  expect(page?.text).toContain('**Deprecated.** use heat');
});

test('Go: doc comments of exported identifiers', () => {
  const result = read('go', {
    'kettle.go':
      '// Copyright.\n\n// Package kettle boils water.\n//\n//\tkettle.Boil()\npackage kettle\n\n// Kettle is one.\ntype Kettle struct {\n\t// Heat is how hot.\n\tHeat int\n\tsecret int\n}\n\n// Boil boils.\n//\n// Deprecated: use Heat.\nfunc (k *Kettle) Boil() error { return nil }\nfunc (h hidden) Boil() {}\nfunc inner() {}\n\nconst (\n\t// Max is the most.\n\tMax = 1\n\tmin = 0\n)\n',
    'internal/a.go': 'package internal\n\n// A is.\nfunc A() {}\n',
    'kettle_test.go': 'package kettle\n\nfunc TestA() {}\n',
  });
  expect(symbolsOf(result)).toEqual({
    'kettle.Kettle': false,
    'kettle.Kettle.Heat': false,
    'kettle.Kettle.Boil': true,
    'kettle.Max': false,
  });
  expect(result.pages[0]?.text).toContain('Package kettle boils water.\n\n```go\n\tkettle.Boil()\n```');
  expect(result.pages[0]?.text).toContain('```go\nfunc (k *Kettle) Boil() error\n```');
});

test('without the grammar of its language, a package still has its description', () => {
  const files = {
    'kettle.py': 'def boil(): "Boils."\n',
    'kettle-2.1.0.dist-info/METADATA': 'Name: kettle\nSummary: Boils.\n',
  };
  const unprepared = createGrammarLoader(createNodeGrammarFiles());
  const { pages, notes } = readPackage(packageFolder(files, {}, 'python'), unprepared);
  expect(pages.map(({ text }) => text)).toEqual(['# kettle\n\nBoils.\n']);
  expect(notes).toEqual([expect.stringContaining('python')]);
});

test('hostile sources are read in bounded time, and never fail', () => {
  const many = (text: string, times: number): string => text.repeat(times);
  const texts: ReadonlyArray<readonly [ReaderEcosystem, string, string]> = [
    ['python', 'a.py', many('def f(): "x"\n', 5000)],
    ['python', 'a.py', `"""${many(':param a: `', 20_000)}"""`],
    ['python', 'a.py', many('(', 50_000)],
    ['rust', 'src/lib.rs', many('pub mod a { ', 5000)],
    ['rust', 'src/lib.rs', many('cfg_a! { ', 5000)],
    ['rust', 'src/lib.rs', `macro_rules! a { () => { ${many('/// x\n#[a]\n', 20_000)} } }`],
    ['go', 'a.go', `package a\n${many('// a\n', 50_000)}`],
    ['go', 'a.go', `package a\nvar (${many('A, ', 20_000)}B int)`],
  ];
  for (const [ecosystem, path, text] of texts)
    expect(
      workMs(() => read(ecosystem, { [path]: text })),
      `${path} ${text.slice(0, 30)}`,
    ).toBeLessThan(5000);
});
