// A folder goes through the same frontier as a crawl, on both engines.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addSource } from '../../../src/actions/add-source.ts';
import { outlineSource } from '../../../src/actions/outline-source.ts';
import { listSourceSymbols } from '../../../src/actions/list-symbols.ts';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import type { Store } from '../../../src/store/port.ts';
import type { Claim } from '../../../src/store/port/frontier.ts';
import { openTestPostgres, openTestSqlite, type TestStore } from '../../support/stores.ts';
import { createLocalFolder } from '../../support/local-folder.ts';
import { actionDeps, addPath, runToEnd } from '../../support/run-worker.ts';

const guide =
  '# Guide\n\nThe kettle boils water and tells when it is done.\n\n## Install\n\nRun `npm install kettle` once.\n';

async function pathsOf(store: Store, name: string): Promise<string[]> {
  const source = await store.sources.byName(name);
  const { pages } = await store.pages.list(source!.versions[0]!.id, null, 100);
  return pages.map(({ url }) => url).sort();
}

describe.each([
  ['sqlite', openTestSqlite],
  ['postgres', openTestPostgres],
])('on %s', (_, open) => {
  let opened: TestStore;
  let store: Store;
  beforeAll(async () => {
    // A new host waits a second between two requests; local files must not.
    opened = await open({ startDelayMs: 1000 });
    store = opened.store;
  });
  afterAll(() => opened.close());

  test('a second run indexes only the files that changed', async () => {
    const root = createLocalFolder({
      'guide.md': guide,
      'api/get.md': '# Get\n\nReads one kettle by its name.\n',
      'b.md': '# B\n\nA page that goes away.\n',
    });
    const first = await addPath(store, root, { name: 'again' });
    expect(first).toMatchObject({ state: 'completed', counts: { found: 3, new: 3 } });
    writeFileSync(join(root, 'guide.md'), `${guide}\n## More\n\nIt also whistles.\n`);
    rmSync(join(root, 'b.md'));
    writeFileSync(join(root, 'c.md'), '# C\n\nA page that came later.\n');
    const second = await addPath(store, root, { name: 'again' });
    expect(second).toMatchObject({
      state: 'completed',
      counts: { found: 4, new: 1, changed: 1, unchanged: 1, removed: 1 },
    });
    expect(await pathsOf(store, 'again')).toEqual(['file:///api/get.md', 'file:///c.md', 'file:///guide.md']);
    expect(await store.verify()).toEqual([]);
  });

  test('[L3] a file is read with its includes, again when one changed, none from outside', async () => {
    const root = createLocalFolder({
      'index.rst': 'Kettle\n======\n\n.. include:: part.rst\n\n.. include:: ../outside.rst\n',
      'part.rst': 'Install\n-------\n\nFill it with water before the first use.\n',
    });
    const first = await addPath(store, root, { name: 'includes' });
    expect(first).toMatchObject({ state: 'completed', counts: { new: 2 } });
    const source = await store.sources.byName('includes');
    const version = source!.versions[0]!.id;
    const textOf = () => store.pages.text(version, pageUrl('file:///index.rst'));
    expect(await textOf()).toContain('## Install\n\nFill it with water');
    writeFileSync(join(root, 'part.rst'), 'Install\n-------\n\nFill it with cold water only, please.\n');
    const second = await addPath(store, root, { name: 'includes' });
    expect(second).toMatchObject({ counts: { changed: 2 } });
    expect(await textOf()).toContain('cold water only');
  });

  test('forty files are not rate limited', async () => {
    const files = Array.from({ length: 40 }, (__, nth) => [
      `f${nth}.md`,
      `# Page ${nth}\n\nSome words about number ${nth}.\n`,
    ]);
    const claims: Claim[] = [];
    const { frontier } = store;
    const claim: typeof frontier.claim = async (request) => {
      const claimed = await frontier.claim(request);
      claims.push(...claimed);
      return claimed;
    };
    const observed = { ...store, frontier: { ...frontier, claim } };
    expect(await addPath(observed, createLocalFolder(Object.fromEntries(files)), { name: 'quick' })).toMatchObject({
      counts: { new: 40 },
    });
    expect(claims.length).toBeGreaterThanOrEqual(40);
    for (const { delayMs, startsInMs } of claims)
      expect({ delayMs, startsInMs }).toEqual({ delayMs: 0, startsInMs: 0 });
  });

  test('a file that is ignored later is removed from the library', async () => {
    const root = createLocalFolder({ 'guide.md': guide, 'draft/x.md': '# X\n\nA draft that nobody should read.\n' });
    await addPath(store, root, { name: 'ignored' });
    writeFileSync(join(root, '.pinakesignore'), 'draft/\n');
    const run = await addPath(store, root, { name: 'ignored' });
    expect(run.counts).toMatchObject({ found: 1, unchanged: 1, excluded: 3 });
    expect(await pathsOf(store, 'ignored')).toEqual(['file:///guide.md']);
    const ignored = (await store.frontier.reasons(run.id, 'excluded', 5)).find(
      ({ reason }) => reason === 'ignored: draft/',
    );
    expect(ignored).toMatchObject({ count: 2 });
  });

  test('a folder that is no longer readable removes nothing', async () => {
    const root = createLocalFolder({ 'guide.md': guide });
    await addPath(store, root, { name: 'unplugged' });
    rmSync(join(root, 'guide.md'));
    const empty = await addPath(store, root, { name: 'unplugged' });
    expect(empty).toMatchObject({ state: 'failed', reason: expect.stringContaining('there is no file') as string });
    const source = (await store.sources.byName('unplugged'))!;
    const run = await store.runs.start(source.versions[0]!.id, 'incremental', {});
    rmSync(root, { recursive: true });
    const gone = await runToEnd(store, run.id);
    expect(gone).toMatchObject({ state: 'failed', reason: expect.stringContaining('Cannot read') as string });
    expect(await pathsOf(store, 'unplugged')).toEqual(['file:///guide.md']);
  });

  test('every limit that is reached is a warning of the run', async () => {
    const root = createLocalFolder({
      'a.md': guide,
      'big.md': 'many words '.repeat(270),
      'long.txt': `${'word '.repeat(6000)}\n`,
      'z.md': `# Z\n\n${'more words here. '.repeat(100)}\n`,
    });
    const limits = { maxFileBytes: 31_000, maxSourceBytes: 33_500 };
    const run = await addPath(store, root, { name: 'cut', ...limits });
    const problems = await store.journal.problems(run.id);
    expect(problems.map(({ kind, target }) => `${kind} ${target}`)).toContain('file-excluded file:///z.md');
    expect(run.counts).toMatchObject({ new: 3, excluded: 1 });
    writeFileSync(join(root, 'big.md'), 'x'.repeat(40_000));
    const next = await addPath(store, root, { name: 'cut', ...limits });
    const reasons = await store.frontier.reasons(next.id, 'excluded', 5);
    expect(reasons).toContainEqual(
      expect.objectContaining({ reason: 'too-large: more than 31000 bytes', example: 'file:///big.md' }),
    );
  });

  test('unsupported files are skipped and do not fail the run', async () => {
    const root = createLocalFolder({
      'guide.md': guide,
      'tool.bin': Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1]),
    });
    const run = await addPath(store, root, { name: 'binary' });
    expect(run).toMatchObject({ state: 'completed', counts: { new: 1, skipped: 1 } });
  });

  test.each(['zip', 'tar', 'tar.gz'])('a %s archive has the same pages as the folder', async (ending) => {
    const root = createLocalFolder({
      'docs/guide.md': guide,
      'docs/api/get.md': '# Get\n\nReads one kettle by its name.\n',
    });
    const archive = join(createLocalFolder({}), `docs.${ending}`);
    if (ending === 'zip')
      writeFileSync(
        archive,
        zipSync({
          'docs/guide.md': strToU8(guide),
          'docs/api/get.md': strToU8('# Get\n\nReads one kettle by its name.\n'),
        }),
      );
    else execFileSync('tar', [ending === 'tar' ? '-cf' : '-czf', archive, '-C', root, 'docs']);
    const run = await addPath(store, archive, { name: `packed-${ending}` });
    expect(run).toMatchObject({ state: 'completed', counts: { new: 2 } });
    expect(await pathsOf(store, `packed-${ending}`)).toEqual(['file:///docs/api/get.md', 'file:///docs/guide.md']);
  });

  test.each(['zip', 'tar'])('a %s archive ignores what a folder ignores', async (ending) => {
    const files = {
      'docs/guide.md': guide,
      'docs/.gitignore': 'build/\n*.draft.md\n',
      'docs/a.draft.md': '# Draft\n\nNot to be read by anybody.\n',
      'docs/build/out.md': '# Built\n\nGenerated text.\n',
      'docs/node_modules/x/readme.md': '# A package\n\nNobody asked for it.\n',
      'docs/deep/.pinakesignore': '!keep.draft.md\n',
      'docs/deep/keep.draft.md': '# Kept\n\nIncluded again by its own folder.\n',
    };
    const archive = join(createLocalFolder({}), `ignored.${ending}`);
    const packed = Object.entries(files).map(([path, text]) => [path, strToU8(text)] as const);
    if (ending === 'zip') writeFileSync(archive, zipSync(Object.fromEntries(packed)));
    // As most people pack a folder: every name begins with ./, and the folder itself is listed.
    else execFileSync('tar', ['-cf', archive, '-C', createLocalFolder(files), '.']);
    const run = await addPath(store, archive, { name: `ignored-${ending}` });
    expect(run).toMatchObject({ state: 'completed', counts: { new: 2 } });
    const paths = ['file:///docs/deep/keep.draft.md', 'file:///docs/guide.md'];
    expect(await pathsOf(store, `ignored-${ending}`)).toEqual(paths);
    const reasons = await store.frontier.reasons(run.id, 'excluded', 10);
    expect(reasons.map(({ reason }) => reason).sort()).toEqual(
      expect.arrayContaining(['ignored: *.draft.md', 'ignored: build/', 'ignored: node_modules/']),
    );
    expect(reasons.map(({ reason }) => reason)).not.toContain('bad-name');
  });

  test('a single file is a source', async () => {
    const root = createLocalFolder({ 'guide.md': guide, 'other.md': '# Other\n\nNot asked for.\n' });
    await addPath(store, join(root, 'guide.md'), { name: 'single' });
    expect(await pathsOf(store, 'single')).toEqual(['file:///guide.md']);
  });

  test('[L1] a git checkout ignores what git ignores', async () => {
    const root = createLocalFolder({
      'guide.md': guide,
      'build/out.md': '# Built\n\nGenerated text.\n',
      'local.md': '# Local\n\nMine alone.\n',
    });
    execFileSync('git', ['init', '-q'], { cwd: root });
    writeFileSync(join(root, '.gitignore'), '/build\n');
    mkdirSync(join(root, '.git', 'info'), { recursive: true });
    writeFileSync(join(root, '.git', 'info', 'exclude'), 'local.md\n');
    await addPath(store, root, { name: 'checkout' });
    expect(await pathsOf(store, 'checkout')).toEqual(['file:///guide.md']);
  });

  test('[X2] outline and symbols list what was indexed', async () => {
    const root = createLocalFolder({
      'guide.md': guide,
      'kettle.ts': '/** Boils. */\nexport function boilWater(litres: number): void {\n  void litres;\n}\n',
    });
    await addPath(store, root, { name: 'listed' });
    const outline = await outlineSource.run({ source: 'listed', budget: 10_000 }, actionDeps(store));
    expect(outline.pages.map(({ path, title }) => `${path} ${title}`)).toEqual([
      'guide.md Guide',
      'kettle.ts kettle.ts',
    ]);
    const symbols = await listSourceSymbols.run({ source: 'listed', prefix: 'boil' }, actionDeps(store));
    expect(symbols.symbols).toMatchObject([{ symbol: 'boilWater', path: 'kettle.ts' }]);
  });

  test('[L1] an interface without local access cannot add a path', async () => {
    const root = createLocalFolder({ 'guide.md': guide });
    const input = addSource.input.parse({ url: root });
    const adding = addSource.run(input, { ...actionDeps(store), localAccess: null });
    await expect(adding).rejects.toMatchObject({ code: 'files.forbidden' });
    const byUrl = addSource.run(addSource.input.parse({ url: `file://${root}` }), actionDeps(store));
    await expect(byUrl).rejects.toMatchObject({
      code: 'input.invalid',
      details: { reason: expect.stringContaining('pass its path') },
    });
  });
});
