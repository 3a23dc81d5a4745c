// A question about several sources, each by its name or with its version, on the command line and over HTTP and MCP.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLibrary } from '../../../src/index.ts';
import { createLibrary, type Library } from '../../support/library.ts';
import { createLocalFolder } from '../../support/local-folder.ts';

let library: Library;

beforeAll(async () => {
  library = await createLibrary('sqlite');
  for (const [name, version] of [
    ['alpha', '1.0'],
    ['beta', '2.0'],
    ['npm:gamma', '3.0'],
  ] as const) {
    const folder = createLocalFolder({
      'guide.md': `# Timeouts of ${name}\n\nSet a timeout for a request in ${name}.\n`,
    });
    await library.run('add', folder, '--name', name, '--version', version);
  }
}, 240_000);

afterAll(() => library.remove());

interface Found {
  readonly searched: readonly string[];
  readonly passages: ReadonlyArray<{ readonly source: string; readonly version: string }>;
  readonly error?: { readonly code: string };
}

test('a list searches those sources and no other', async () => {
  const found: Found = await library.json('search', '--source', 'alpha', '--source', 'gamma@3', 'request timeout');
  expect(found.searched).toEqual(['alpha', 'npm:gamma']);
  for (const { source } of found.passages) expect(found.searched).toContain(source);
  const one: Found = await library.json('search', '--source', 'beta', 'request', 'timeout');
  expect(one.searched).toEqual(['beta']);
});

test('a source or a version that is not there is an error, never another version', async () => {
  for (const [reference, code] of [
    ['gamma@4', 'version.unknown'],
    ['delta', 'source.unknown'],
  ] as const) {
    const { stderr, code: exit } = await library.run(
      'search',
      '--source',
      'alpha',
      '--source',
      reference,
      'timeout',
      '--json',
    );
    expect(exit).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code } });
  }
});

test('read, outline and symbols take a name with a version', async () => {
  const read: Found['passages'][number] = await library.json('read', 'guide.md', '--source', 'npm:gamma@3.0');
  expect(read).toMatchObject({ source: 'npm:gamma', version: '3.0' });
  expect(await library.json('outline', 'gamma@3')).toMatchObject({ source: 'npm:gamma' });
  expect(await library.json('symbols', 'npm:gamma')).toMatchObject({ source: 'npm:gamma' });
});

test('a scope of a program searches and reads its sources only', async () => {
  await using opened = await openLibrary({ dataDir: library.settings['PINAKES_DATA_DIR'] ?? '', readOnly: true });
  const scope = opened.scope(['alpha', 'npm:gamma@3.0']);
  expect((await scope.search('request timeout')).searched).toEqual(['alpha', 'npm:gamma']);
  expect((await scope.search({ query: 'request timeout', source: 'alpha' })).searched).toEqual(['alpha']);
  expect(await scope.read({ target: 'guide.md', source: 'npm:gamma@3.0' })).toMatchObject({ source: 'npm:gamma' });
  await expect(scope.search({ query: 'request timeout', source: 'beta' })).rejects.toMatchObject({
    code: 'source.unknown',
  });
  await expect(opened.scope([]).search('request timeout')).rejects.toMatchObject({ code: 'source.unknown' });
});
