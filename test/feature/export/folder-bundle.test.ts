// What a bundle of a folder shows with the limits of the program: a chunk for each heading, a name for each method, and the files that
// it does not have.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportSource } from '../../../src/actions/export-source.ts';
import { listSourceSymbols } from '../../../src/actions/list-symbols.ts';
import { readZip } from '../../../src/core/extract/archive/read-zip.ts';
import { readIndexJson } from '../../../src/core/export/bundle/index-json.ts';
import { createLocalFolder } from '../../support/local-folder.ts';
import { actionDeps, addPath } from '../../support/run-worker.ts';
import { openTestPostgres, openTestSqlite, type TestStore } from '../../support/stores.ts';
import { readSpecifiedBundle } from './specified-bundle.ts';

const README = `# Widget SDK

Bends widgets.

## Install

Run the installer.

## Authentication

Send a token.

### Tokens

They expire.

# Changes

None yet.
`;
const PAGE = `<!doctype html><title>Guide</title><main><h1>Guide</h1><p>Words about widgets, enough of them to be read as a page of text.</p>
<h2>Bend</h2><p>Bend it slowly, and never twice in the same place, because it breaks.</p><h3>Tools</h3><p>A vice and a hammer are all that is needed for that.</p></main>`;
const CODE = `export class Widget {
  bend(angle) {
    return angle;
  }
  unbend() {
    return 0;
  }
}
`;

const folder = createLocalFolder({
  'README.md': README,
  'guide.html': PAGE,
  'widget.js': CODE,
  'program.bin': new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]),
  'huge.txt': 'x'.repeat(12 * 1024 * 1024),
  '.hidden': 'nothing',
});

describe.each([
  ['sqlite', openTestSqlite],
  ['postgres', openTestPostgres],
])('on %s', (_, open) => {
  let opened: TestStore;
  let entries: ReadonlyMap<string, Uint8Array>;
  let summary: Awaited<ReturnType<typeof exportSource.run>>;
  beforeAll(async () => {
    opened = await open({ startDelayMs: 1000 });
    await addPath(opened.store, folder, { name: 'widget' });
    const out = join(createLocalFolder({}), 'bundle.zip');
    const request = { source: 'widget', out, format: 'bundle', compact: false, vectors: false, force: false } as const;
    summary = await exportSource.run({ ...request, reproducible: false }, actionDeps(opened.store));
    const items = [...readZip(readFileSync(out), 'bundle.zip')];
    entries = new Map(items.map((item) => (item.kind === 'file' ? [item.path, item.body] : ['', new Uint8Array()])));
  });
  afterAll(() => opened.close());

  const text = (name: string): string => new TextDecoder().decode(entries.get(name));
  const outlined = (path: string): string[] => {
    const [, below = ''] = text('outline.md').split(`### ${path} (`);
    const [own = ''] = below.split('\n### ');
    return [...own.matchAll(/^- c\w+ \(\d+-\d+\) (.*)$/gm)].map((match) => match[1] ?? '');
  };

  test('each heading of a Markdown file is a chunk, labelled by its path', () => {
    expect(outlined('README.md')).toEqual([
      'Widget SDK',
      'Widget SDK > Install',
      'Widget SDK > Authentication',
      'Widget SDK > Authentication > Tokens',
      'Changes',
    ]);
    const { chunks } = readSpecifiedBundle(entries, ['pinakes.json']);
    expect(chunks.filter(({ path }) => path === 'README.md').map(({ label }) => label)).toEqual([
      'Widget SDK',
      'Install',
      'Authentication',
      'Tokens',
      'Changes',
    ]);
  });

  test('each heading of an HTML file is a chunk', () => {
    expect(outlined('guide.html')).toEqual(['Guide', 'Guide > Bend', 'Guide > Bend > Tools']);
  });

  test('the methods of a class are symbols, wherever it is cut', async () => {
    expect(outlined('widget.js')).toEqual(['`Widget`, `Widget.bend()`, `Widget.unbend()`']);
    for (const prefix of ['Widget.ben', 'unbend']) {
      const request = { prefix, source: 'widget' };
      const { symbols } = await listSourceSymbols.run(listSourceSymbols.input.parse(request), actionDeps(opened.store));
      expect(symbols.map((one) => one.symbol)).toContain(prefix === 'unbend' ? 'Widget.unbend' : 'Widget.bend');
    }
  });

  test('files that were left out are warnings, sorted, without those that a rule of the user excludes', () => {
    const { warnings } = readIndexJson(text('index.json'));
    expect(warnings.map(({ path }) => path)).toEqual(['huge.txt', 'program.bin']);
    expect(warnings[0]?.message).toContain('too-large');
    expect(summary.leftOut).toEqual({ found: 2, files: warnings.map(({ path, message }) => ({ path, message })) });
  });

  test('a heading inside a file finds its chunk alone', async () => {
    const { search } = actionDeps(opened.store);
    const found = await search({
      query: 'token',
      source: 'widget',
      heading: 'Authentication',
      limit: 5,
      budget: 2000,
      offset: 0,
      explain: false,
    });
    expect(found.passages[0]?.headings).toEqual(expect.arrayContaining(['Authentication']));
  });
});
