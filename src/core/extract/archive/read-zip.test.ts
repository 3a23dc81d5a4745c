import { strToU8, zipSync, type Zippable } from 'fflate';
import { expect, test } from 'vitest';
import { readZip, type ArchiveItem } from './read-zip.ts';

const read = (files: Zippable): readonly ArchiveItem[] => [...readZip(zipSync(files), 'a.zip')];

test('regular files are unpacked unchanged', () => {
  const items = read({ 'docs/a.md': strToU8('# A'), 'b.txt': [strToU8('b'), { level: 0 }] });
  expect(items).toEqual([
    { kind: 'file', path: 'docs/a.md', body: strToU8('# A') },
    { kind: 'file', path: 'b.txt', body: strToU8('b') },
  ]);
});

test.each([
  ['../../x', 'parent-path'],
  ['a/../../b', 'parent-path'],
  ['a\\..\\..\\b', 'parent-path'],
  ['/abs', 'absolute-path'],
  ['\\\\server\\share', 'absolute-path'],
  ['C:\\x', 'absolute-path'],
  ['docs/CON.txt', 'bad-name'],
  ['a\u0000b', 'bad-name'],
  ['name. ', 'bad-name'],
  ['.env', 'hidden'],
  ['docs/.git/config', 'hidden'],
])('the entry %j is refused as %s', (name, reason) => {
  expect(read({ [name]: strToU8('x') })).toEqual([{ kind: 'refused', name, reason }]);
});

test('a symbolic link is refused by its mode', () => {
  const items = read({ link: [strToU8('/etc/passwd'), { os: 3, attrs: (0o120777 << 16) >>> 0 }] });
  expect(items).toEqual([{ kind: 'refused', name: 'link', reason: 'link' }]);
});

test('a file over the limit is refused, the others are not', () => {
  const noise = Uint8Array.from({ length: 11 * 1024 * 1024 }, (_, index) => (index * index * 31) >> 3);
  const items = read({ 'big.bin': [noise, { level: 0 }], 'small.txt': strToU8('ok') });
  expect(items.map((item) => item.kind)).toEqual(['refused', 'file']);
});

test('unpacking stops at a zip bomb', () => {
  const bomb = zipSync({ 'zeros.txt': new Uint8Array(16 * 1024 * 1024) });
  expect(() => [...readZip(bomb, 'a.zip')]).toThrow(expect.objectContaining({ code: 'archive.bomb' }));
});

test('the total size counts all files', () => {
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}`, new Uint8Array(900 * 1024)]));
  const limits = { maxRatio: 100, maxFileBytes: 1024 * 1024, maxTotalBytes: 4 * 1024 * 1024, maxEntries: 100 };
  expect(() => [...readZip(zipSync(files), 'a.zip', limits)]).toThrow(
    expect.objectContaining({ code: 'archive.bomb' }),
  );
});

test('overlapping entries are refused', () => {
  const archive = zipSync({ a: strToU8('aaaa'), b: strToU8('bbbb') });
  const view = new DataView(archive.buffer);
  const central = view.getUint32(archive.byteLength - 22 + 16, true);
  const second = central + 46 + view.getUint16(central + 28, true);
  view.setUint32(second + 42, view.getUint32(central + 42, true), true);
  expect(() => [...readZip(archive, 'a.zip')]).toThrow(expect.objectContaining({ code: 'extract.malformed' }));
});

test('bytes that are not an archive are malformed', () => {
  expect(() => [...readZip(strToU8('PK not really'), 'a.zip')]).toThrow(
    expect.objectContaining({ code: 'extract.malformed' }),
  );
});

test('a nested archive is returned as a file, not opened', () => {
  const inner = zipSync({ x: strToU8('x') });
  expect(read({ 'inner.zip': inner })).toEqual([{ kind: 'file', path: 'inner.zip', body: inner }]);
});
