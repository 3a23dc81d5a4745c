// Every case of test/data/cases/paths.json, on a real file system.

import { execFileSync } from 'node:child_process';
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { exportBundle } from '../../../src/core/export/bundle/export-bundle.ts';
import { readZip } from '../../../src/core/extract/archive/read-zip.ts';
import { fileUrl, isFileUrl, pathOfFileUrl, displayPath } from '../../../src/core/files/file-url.ts';
import { isInsideRoot, pathVerdict } from '../../../src/core/files/path-verdict.ts';
import { chunkId } from '../../../src/core/model/chunk.ts';
import { sha256Hex } from '../../../src/core/model/hash.ts';
import { pageUrl, type PageUrl } from '../../../src/core/model/page-url.ts';
import type { LocalOutcome } from '../../../src/fetch/port.ts';
import { openFileWriter } from '../../../src/platform/user-files.ts';
import { readCases } from '../../support/read-cases.ts';
import { createLocalFolder, listAll, listing, localFiles } from '../../support/local-folder.ts';

interface PathCase {
  readonly id: string;
  readonly input: string;
  readonly expected: string;
}

const { cases } = readCases('paths') as { cases: readonly PathCase[] };

async function read(root: string, url: string): Promise<LocalOutcome> {
  return (await localFiles().open(root)).read(url as PageUrl);
}

const refused = expect.objectContaining({ kind: 'refused' }) as LocalOutcome;

/** Rejected as a path by the verdict, and as a URL by the file source. */
async function rejectsPath(path: string): Promise<void> {
  expect(pathVerdict(path, 'any')).toMatchObject({ admit: false });
  expect(pathVerdict(path, 'portable')).toMatchObject({ admit: false });
  const root = join(createLocalFolder({ 'secret.txt': 's', 'docs/a/x.md': 'x' }), 'docs');
  const outcome = await read(root, `file:///${encodeURIComponent(path)}`);
  expect(outcome.kind).not.toBe('read');
}

const expectations: Readonly<Record<string, () => Promise<void>>> = {
  'path-01': () => rejectsPath('../secret.txt'),
  'path-02': () => rejectsPath('..\\secret.txt'),
  'path-03': () => rejectsPath('/etc/passwd'),
  'path-04': () => rejectsPath('a/../../secret'),

  'path-05': async () => {
    expect(isInsideRoot('/srv/docs-private/x', '/srv/docs', '/')).toBe(false);
    expect(isInsideRoot('/srv/docs/x', '/srv/docs', '/')).toBe(true);
    const above = createLocalFolder({ 'docs/a.md': '# A', 'docs-private/x.md': '# X' });
    const files = localFiles({ roots: [join(above, 'docs')] });
    await expect(files.stat(join(above, 'docs-private'))).rejects.toMatchObject({ code: 'files.refused' });
    expect(await files.stat(join(above, 'docs'))).toMatchObject({ kind: 'folder' });
  },

  'path-06': async () => {
    const root = createLocalFolder({ 'a.md': '# A' });
    symlinkSync('/etc/passwd', join(root, 'b.md'));
    expect(await listing(root)).toEqual(['file a.md', 'refused b.md link']);
    expect(await read(root, 'file:///b.md')).toEqual({ kind: 'refused', reason: 'link' });
  },

  'path-07': async () => {
    const root = createLocalFolder({ 'a.md': '# A' });
    symlinkSync('/', join(root, 'top'));
    expect(await listing(root)).toEqual(['file a.md', 'refused top link']);
    expect(await read(root, 'file:///top/etc/passwd')).toEqual(refused);
  },

  'path-08': async () => {
    const root = createLocalFolder({ 'a.md': '# A' });
    symlinkSync('y', join(root, 'x'));
    symlinkSync('x', join(root, 'y'));
    mkdirSync(join(root, 'sub'));
    symlinkSync('..', join(root, 'sub', 'up'));
    const items = ['file a.md', 'refused x link', 'refused y link', 'refused sub/up link'];
    expect(await listing(root)).toEqual(items);
  },

  'path-09': async () => {
    const outside = createLocalFolder({ 'a.md': 'secret' });
    const root = createLocalFolder({ 'sub/a.md': 'public', 'b.md': 'public' });
    const source = await localFiles().open(root);
    expect(await listAll(source)).toHaveLength(2);
    // After the names were checked, a folder and a file are replaced by links to the outside.
    renameSync(join(root, 'sub'), join(root, 'old'));
    symlinkSync(outside, join(root, 'sub'));
    unlinkSync(join(root, 'b.md'));
    symlinkSync(join(outside, 'a.md'), join(root, 'b.md'));
    expect(await source.read(fileUrl('sub/a.md'))).toEqual({ kind: 'refused', reason: 'outside-root' });
    expect(await source.read(fileUrl('b.md'))).toEqual({ kind: 'refused', reason: 'link' });
  },

  'path-10': async () => {
    const outside = createLocalFolder({ 'x.md': '# X' });
    const root = createLocalFolder({});
    linkSync(join(outside, 'x.md'), join(root, 'x.md'));
    const strict = await localFiles({ refuseHardLinks: true }).open(root);
    expect(await strict.read(fileUrl('x.md'))).toEqual({ kind: 'refused', reason: 'hard-link' });
    expect(await read(root, 'file:///x.md')).toMatchObject({ kind: 'read' });
    expect(readFileSync(new URL('../../../docs/formats.md', import.meta.url), 'utf8')).toContain(
      'FILES_REFUSE_HARD_LINKS',
    );
  },

  'path-11': async () => {
    const root = createLocalFolder({ 'a.md': 'first' });
    const other = createLocalFolder({ 'a.md': 'second' });
    const link = join(createLocalFolder({}), 'link');
    symlinkSync(root, link);
    const files = localFiles();
    expect(await files.stat(link)).toMatchObject({ path: root });
    const source = await files.open(link);
    unlinkSync(link);
    symlinkSync(other, link);
    const outcome = await source.read(fileUrl('a.md'));
    expect(outcome).toMatchObject({ kind: 'read', hash: sha256Hex('first') });
  },

  'path-12': async () => {
    const root = createLocalFolder({ 'a.md': '# A' });
    execFileSync('mkfifo', [join(root, 'pipe.md')]);
    expect(await listing(root)).toEqual(['file a.md', 'refused pipe.md special-file']);
    expect(await read(root, 'file:///pipe.md')).toEqual({ kind: 'refused', reason: 'special-file' });
  },

  'path-13': async () => {
    // Creating a device needs privileges, so the root is a folder of devices.
    await expect(localFiles().open('/dev')).rejects.toMatchObject({ code: 'files.refused' });
    await expect(localFiles().open('/dev/zero')).rejects.toMatchObject({ code: 'files.refused' });
    const root = createLocalFolder({ 'a.md': '# A' });
    symlinkSync('/dev/zero', join(root, 'zero.md'));
    expect(await read(root, 'file:///zero.md')).toEqual({ kind: 'refused', reason: 'link' });
    try {
      execFileSync('mknod', [join(root, 'dev.md'), 'c', '1', '5'], { stdio: 'ignore' });
    } catch {
      return; // not allowed here
    }
    expect(await listing(root)).toContain('refused dev.md special-file');
    expect(await read(root, 'file:///dev.md')).toEqual(refused);
  },

  'path-14': async () => {
    const root = createLocalFolder({ 'a.md': '# A' });
    const server = createServer();
    await new Promise<void>((done) => server.listen(join(root, 's.md'), done));
    expect(await listing(root)).toEqual(['file a.md', 'refused s.md special-file']);
    expect(await read(root, 'file:///s.md')).toEqual({ kind: 'refused', reason: 'special-file' });
    server.close();
  },

  'path-15': async () => {
    expect(isFileUrl('file:///proc/self/environ')).toBe(true);
    await expect(localFiles().stat('/proc/self/environ')).rejects.toMatchObject({ code: 'files.refused' });
    const root = createLocalFolder({ 'a.md': '# A' });
    expect(await read(root, 'file:///proc/self/environ')).toEqual({ kind: 'not-found', reason: 'no-such-file' });
  },

  'path-16': async () => {
    const root = createLocalFolder({
      'a.md': 'a',
      '.env': 'KEY=1',
      '.git/config': 'x',
      '.ssh/id_rsa': 'x',
      'sub/.npmrc': 'x',
    });
    const items = [
      'refused .env hidden',
      'refused .git hidden',
      'refused .ssh hidden',
      'file a.md',
      'refused sub/.npmrc hidden',
    ];
    expect(await listing(root)).toEqual(items);
    for (const path of ['.env', '.git/config', '.ssh/id_rsa', 'sub/.npmrc']) {
      expect(await read(root, `file:///${path}`)).toEqual({ kind: 'refused', reason: 'hidden' });
    }
  },

  'path-17': async () => {
    const root = createLocalFolder({ 'a.md': '# A', 'big.md': '' });
    truncateSync(join(root, 'big.md'), 10 * 1024 * 1024 + 1);
    expect(await listing(root)).toEqual(['file a.md', 'refused big.md too-large: more than 10485760 bytes']);
    expect(await read(root, 'file:///big.md')).toEqual(refused);
  },

  'path-18': async () => {
    const root = createLocalFolder({});
    for (let nth = 0; nth < 20_000; nth += 1) writeFileSync(join(root, `f${nth}.md`), '');
    const before = process.memoryUsage().rss;
    const items = await listing(root, { maxFiles: 500 });
    expect(items).toHaveLength(501);
    expect(items.at(-1)).toBe('warning too-many-files');
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
    rmSync(root, { recursive: true });
  },

  'path-19': async () => {
    const root = createLocalFolder({ 'a.md': '# A' });
    // A path of 5,000 folders is longer than the system accepts: it is built from its end.
    let inner = join(root, 'x');
    mkdirSync(inner);
    for (let depth = 0; depth < 5000; depth += 1) {
      const outer = join(root, `y${depth % 2}`);
      mkdirSync(outer);
      renameSync(inner, join(outer, 'd'));
      inner = outer;
    }
    const items = await listing(root);
    expect(items[0]).toBe('file a.md');
    expect(items).toHaveLength(2);
    expect(items[1]).toMatch(/ too-deep$/);
    execFileSync('rm', ['-rf', root]);
  },

  'path-20': async () => {
    const names = ['a\nb.md', 'c\u001b[31md.md', 'e\u202ef.md'];
    const root = createLocalFolder(Object.fromEntries(names.map((name) => [name, '# X'])));
    const items = await listAll(await localFiles().open(root));
    const urls = items.map((item) => (item.kind === 'file' ? item.url : pageUrl('https://x.dev')));
    const shown = urls.map((url) => pathOfFileUrl(url));
    expect(shown).toEqual(['a%0Ab.md', 'c%1B[31md.md', 'e%E2%80%AEf.md']);
    for (const url of urls) expect(await read(root, url)).toMatchObject({ kind: 'read' });
  },

  'path-21': async () => {
    const root = createLocalFolder({ 'a.md': '# A' });
    writeFileSync(Buffer.concat([Buffer.from(join(root, 'b')), Buffer.from([0xff]), Buffer.from('.md')]), 'x');
    const items = await listing(root);
    expect(items[0]).toBe('file a.md');
    expect(items[1]).toMatch(/^refused b.*\.md name-not-utf8$/);
  },

  'path-22': async () => {
    const names = [
      'C:\\x',
      '\\\\srv\\share',
      'file.txt:stream',
      'CON',
      'aux.md',
      'name.',
      'PROGRA~1',
      'a/LPT1.txt',
      'C:x',
    ];
    for (const name of names) expect(pathVerdict(name, 'portable')).toMatchObject({ admit: false });
    const zip = zipSync(Object.fromEntries(names.slice(0, 6).map((name) => [name, strToU8('x')])));
    expect([...readZip(zip, 'a.zip')].every(({ kind }) => kind === 'refused')).toBe(true);
  },

  'path-23': async () => {
    const root = join(createLocalFolder({ 'secret.txt': 's', 'docs/x.md': 'x', 'docs/%2e%2e/y.md': 'y' }), 'docs');
    for (const path of [
      '%2e%2e%2fsecret.txt',
      '%252e%252e%252fsecret.txt',
      '%252e%252e/secret.txt',
      '..%2fsecret.txt',
    ]) {
      const outcome = await read(root, `file:///${path}`);
      expect(outcome).toEqual(refused);
    }
    // A literal name like that on disk has one URL, which leads only to it.
    expect(await read(root, fileUrl(displayPath('%2e%2e/y.md')))).toMatchObject({ kind: 'read', hash: sha256Hex('y') });
  },

  'path-24': async () => {
    expect(pathOfFileUrl('file://server/share/x.md')).toBeNull();
    const root = createLocalFolder({ 'x.md': 'x', 'share/x.md': 'x' });
    expect(await read(root, 'file://server/share/x.md')).toEqual({ kind: 'refused', reason: 'bad-url' });
  },

  'path-25': async () => {
    const above = createLocalFolder({ 'root/a.md': '# A' });
    symlinkSync(join(above, 'root'), join(above, 'ROOT'));
    // The upper-case name is the same folder, as on a case-insensitive file system.
    const files = localFiles({ roots: [join(above, 'ROOT')] });
    expect(await files.stat(join(above, 'root'))).toMatchObject({ path: join(above, 'root') });
  },

  'path-26': async () => {
    const root = createLocalFolder({ 'a.md': 'start' });
    const source = await localFiles().open(root);
    let nth = 0;
    const changing = setInterval(() => writeFileSync(join(root, 'a.md'), `text ${(nth += 1)} `.repeat(20_000)), 1);
    try {
      for (let times = 0; times < 30; times += 1) {
        const outcome = await source.read(fileUrl('a.md'));
        if (outcome.kind !== 'read') throw new Error(outcome.kind);
        expect(outcome.hash).toBe(sha256Hex(outcome.body));
      }
    } finally {
      clearInterval(changing);
    }
  },

  'path-27': async () => {
    const root = createLocalFolder({ 'a.md': 'a', 'b.md': 'b', 'sub/c.md': 'c' });
    const source = await localFiles().open(root);
    const seen: string[] = [];
    for await (const item of source.list(AbortSignal.timeout(10_000))) {
      if (item.kind === 'file') seen.push(item.url);
      rmSync(join(root, 'b.md'), { force: true });
      rmSync(join(root, 'sub'), { recursive: true, force: true });
    }
    expect(seen).toEqual(['file:///a.md']);
    expect(await source.read(fileUrl('b.md'))).toEqual({ kind: 'not-found', reason: 'no-such-file' });
  },

  'path-28': async () => {
    const files = { 'ok.md': strToU8('# Ok'), '../x': strToU8('x'), '/x': strToU8('x'), 'C:\\x': strToU8('x') };
    const zip = zipSync({ ...files, link: [strToU8('/etc/passwd'), { os: 3, attrs: (0o120777 << 16) >>> 0 }] });
    const root = createLocalFolder({
      'a.zip': zip,
      'b.zip': renameSecondEntry(zipSync({ 'a.md': strToU8('1'), 'b.md': strToU8('2') })),
    });
    const items = await listing(join(root, 'a.zip'));
    expect(items.filter((item) => item.startsWith('file'))).toEqual(['file ok.md']);
    expect(items).toHaveLength(5);
    const doubled = await listing(join(root, 'b.zip'));
    expect(doubled[0]).toBe('file a.md');
    expect(doubled[1]).toMatch(/duplicate-name$/);
    const nameless = await listing(join(createLocalFolder({ 'c.zip': zipSync({ '': strToU8('x') }) }), 'c.zip'));
    expect(nameless).toEqual(['refused  bad-name']);
  },

  'path-29': async () => {
    const many = zipSync(Object.fromEntries(Array.from({ length: 600 }, (_, nth) => [`f${nth}`, new Uint8Array()])));
    const bomb = zipSync({ 'zeros.txt': new Uint8Array(16 * 1024 * 1024) });
    const inner = zipSync({ 'x.md': strToU8('# X') });
    const root = createLocalFolder({
      'many.zip': many,
      'bomb.zip': bomb,
      'nested.zip': zipSync({ 'inner.zip': inner }),
    });
    await expect(listing(join(root, 'many.zip'), { maxFiles: 500 })).rejects.toMatchObject({
      code: 'extract.malformed',
    });
    await expect(listing(join(root, 'bomb.zip'))).rejects.toMatchObject({ code: 'archive.bomb' });
    // The nested archive is a file that is not opened.
    expect(await listing(join(root, 'nested.zip'))).toEqual(['file inner.zip']);
  },

  'path-30': async () => {
    const text = 'hello';
    const contentHash = sha256Hex(text);
    const fields = {
      passageKind: 'prose' as const,
      headings: ['../../x'],
      anchor: null,
      symbol: '../../x',
      jsonPath: null,
    };
    const chunk = {
      ...fields,
      id: chunkId('a.md', contentHash, 0),
      contentHash,
      text,
      lines: { first: 1, last: 1 },
      tokens: 2,
    };
    const page = { path: 'a.md', title: '../../x', description: null, language: null, mediaType: 'text/plain' };
    const pages = [{ ...page, hash: contentHash, assetPath: null, warnings: [], chunks: [chunk] }];
    const { zip } = exportBundle({ name: '../../x', version: '../x', startUrl: null }, pages, 'full');
    const names = [...readZip(zip, 'a.zip')].map((item) => (item.kind === 'file' ? item.path : `refused ${item.name}`));
    expect(names).toEqual([
      'catalog.llm.md',
      'chunks/c0001.md',
      'index.json',
      'llm.md',
      'manifest.json',
      'manifest.llm.tsv',
      'manifest.min.json',
      'outline.md',
      'pinakes.json',
    ]);
  },

  'path-31': async () => {
    const root = createLocalFolder({ 'precious.zip': 'precious' });
    const target = join(root, 'out.zip');
    symlinkSync(join(root, 'precious.zip'), target);
    await expect(openFileWriter(target, 'replace')).rejects.toMatchObject({ code: 'export.refused' });
    unlinkSync(target);
    // A link that is created during the export is detected before the final rename.
    const late = await openFileWriter(target, 'replace');
    await late.write(strToU8('new'));
    symlinkSync(join(root, 'precious.zip'), target);
    await expect(late.commit()).rejects.toMatchObject({ code: 'export.refused' });
    await late.discard();
    unlinkSync(target);
    const sink = await openFileWriter(target, 'replace');
    await sink.write(strToU8('new'));
    expect(
      readdirSync(root)
        .filter((name) => name.endsWith('.part'))
        .map((name) => dirname(join(root, name))),
    ).toContain(root);
    await sink.commit();
    expect(readFileSync(target, 'utf8')).toBe('new');
    expect(lstatSync(target).isFile()).toBe(true);
    expect(readFileSync(join(root, 'precious.zip'), 'utf8')).toBe('precious');
    expect(readdirSync(root).sort()).toEqual(['out.zip', 'precious.zip']);
  },
};

/** Gives the second entry the name of the first, in both of its headers. */
function renameSecondEntry(zip: Uint8Array): Uint8Array {
  for (let at = 0; at + 4 < zip.length; at += 1) {
    if (Buffer.from(zip.subarray(at, at + 4)).toString() === 'b.md') zip[at] = 'a'.charCodeAt(0);
  }
  return zip;
}

test('there is a test for every case', () => {
  expect(Object.keys(expectations)).toEqual(cases.map(({ id }) => id));
});

test.each(cases)('$id: $input: $expected', async ({ id }) => {
  await expectations[id]?.();
});
