import { expect, test } from 'vitest';
import { packageFolder } from '../../../test/support/package-folder.ts';
import { selectPackageFiles } from './package-files.ts';
import type { ReaderEcosystem } from './package-folder.ts';
import { currentChangelog } from './read-package.ts';

const kindOf = (path: string, others: readonly string[] = [], ecosystem: ReaderEcosystem = 'npm'): string | null => {
  const { manifest, files } = packageFolder(
    Object.fromEntries([path, ...others].map((name) => [name, 'x'])),
    {},
    ecosystem,
  );
  return selectPackageFiles(manifest, files).find((file) => file.path === path)?.kind ?? null;
};

test.each([
  ['README.md', 'readme'],
  ['readme.markdown', 'readme'],
  ['README', 'readme'],
  ['docs/Reference/Routes.md', 'guide'],
  ['dist/docs/01-app/test.md', 'guide'],
  ['docs/testing/test/setup.md', 'guide'],
  ['MIGRATION_GUIDE.md', 'guide'],
  ['UPGRADING.md', 'guide'],
  ['PERFORMANCE.md', 'guide'],
  ['lib/tools/skills/cli/references/storage.md', 'skill'],
  ['skills/modern/SKILL.md', 'skill'],
  ['AGENTS.md', 'skill'],
  ['CHANGELOG.md', 'changelog'],
  ['HISTORY.txt', 'changelog'],
  ['changelogs/CHANGELOG-v2.md', 'changelog'],
  ['examples/server.js', 'example'],
  ['examples/README.md', 'example'],
  ['types/index.d.ts', 'declarations'],
  ['lib/index.js', 'source'],
  ['src/index.ts', 'source'],
])('%s is documentation of the kind %s (finding T6)', (path, kind) => {
  expect(kindOf(path)).toBe(kind);
});

test.each([
  'test/README.md',
  'src/__tests__/a.ts',
  'lib/index.test.js',
  'types/index.test-d.ts',
  'dist/index.js',
  'lib/kettle.min.js',
  'lib/kettle.js.map',
  'umd/kettle.js',
  'dist/compiled/other/README.md',
  'vendor/other/README.md',
  'node_modules/other/README.md',
  'README.zh-CN.md',
  'readme_ja.md',
  'docs/fr/intro.md',
  'changelogs/CHANGELOG-v1.md',
  'LICENSE.md',
  'CONTRIBUTING.md',
  '.github/README.md',
  'lib/adapters/README.md',
  'logo.png',
])('%s is noise (finding T6)', (path) => {
  expect(kindOf(path)).toBeNull();
});

test('twins of declarations are left out', () => {
  expect(kindOf('index.d.cts', ['index.d.ts'])).toBeNull();
  expect(kindOf('index.d.cts')).toBe('declarations');
  expect(kindOf('dist/cjs/a.d.ts', ['dist/esm/a.d.ts'])).toBeNull();
  expect(kindOf('ts5.6/index.d.ts')).toBeNull();
});

test('files of other ecosystems', () => {
  expect(kindOf('click-8.1.dist-info/METADATA', [], 'python')).toBe('metadata');
  expect(kindOf('click-8.1.dist-info/RECORD', [], 'python')).toBeNull();
  expect(kindOf('click/test_types.py', [], 'python')).toBeNull();
  expect(kindOf('context_test.go', [], 'go')).toBeNull();
  expect(kindOf('src/lib.rs', [], 'rust')).toBe('source');
  expect(kindOf('benches/a.rs', [], 'rust')).toBeNull();
});

test('documentation comes before anything that a size limit may drop (finding Q6)', () => {
  const paths = [
    'lib/a.js',
    'index.d.ts',
    'examples/a.js',
    'CHANGELOG.md',
    'docs/b.md',
    'docs/a.md',
    'skills/x.md',
    'README.md',
  ];
  const { manifest, files } = packageFolder(Object.fromEntries(paths.map((path) => [path, 'x'])));
  expect(selectPackageFiles(manifest, files).map(({ path }) => path)).toEqual([
    'README.md',
    'docs/a.md',
    'docs/b.md',
    'skills/x.md',
    'CHANGELOG.md',
    'examples/a.js',
    'index.d.ts',
    'lib/a.js',
  ]);
});

test.each([
  [
    'older major versions are cut',
    '# Changes\n\n## 2.1.0\n\nNew.\n\n### Dropped Node 1.0\n\n## [1.9.0](x)\n\nOld.\n',
    '2.1.0',
    '# Changes\n\n## 2.1.0\n\nNew.\n\n### Dropped Node 1.0\n\n',
  ],
  ['nothing about this version', '## 1.9.0\n\nOld.\n', '2.1.0', null],
  ['only this version', '## 2.0.0\n\n## 2.1.0\n', '2.1.0', null],
  ['a version below 1', '## 0.3.0\n\n## 0.2.0\n', '0.3.0', null],
])('changelog: %s', (_name, text, version, expected) => {
  expect(currentChangelog(text, version)).toBe(expected);
});
