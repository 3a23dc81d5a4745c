import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { readZipDirectory } from '../../extract/archive/zip-directory.ts';
import { compressEntry } from './compress-entry.ts';
import { centralHeader, endRecords, localHeader } from './zip-records.ts';
import { createZipWriter, MAX_ZIP_ENTRIES } from './zip-writer.ts';
import { temporaryDirectory } from '../../../../test/support/temporary-folder.ts';

test('another zip reader extracts texts and bytes of every size', () => {
  const long = `${'many words, ünd 😀 '.repeat(20_000)}end`;
  const files: Record<string, string | Uint8Array> = {
    'a.md': '',
    'b.bin': Uint8Array.of(0, 255, 1),
    'c/d.md': 'short',
    'e.md': long,
  };
  const zip = createZipWriter();
  const parts = Object.entries(files).flatMap(([name, data]) =>
    zip.entry(name, typeof data === 'string' ? [data] : data),
  );
  const archive = Buffer.concat([...parts, zip.end()]);
  const read = unzipSync(archive);
  expect(Object.keys(read)).toEqual(Object.keys(files));
  for (const [name, data] of Object.entries(files)) {
    expect(Buffer.from(read[name] ?? []).equals(Buffer.from(data as string))).toBe(true);
  }
});

function temporaryFolder(): string {
  const folder = temporaryDirectory();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const python = (path: string, script: string): string =>
  execFileSync('python3', ['-c', `import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\n${script}`, path], {
    encoding: 'utf8',
  }).trim();

test('70,000 entries are read back by Python and by our own reader', () => {
  const zip = createZipWriter();
  const parts = Array.from({ length: 70_000 }, (_, nth) => zip.entry(`${nth}.md`, Uint8Array.of(nth & 255))).flat();
  const archive = Buffer.concat([...parts, zip.end()]);
  const path = join(temporaryFolder(), 'many.zip');
  writeFileSync(path, archive);
  expect(python(path, `print(len(z.namelist()), z.testzip(), z.read('69999.md')[0])`)).toBe(
    `70000 None ${69_999 & 255}`,
  );

  const entries = readZipDirectory(archive, 'many.zip', MAX_ZIP_ENTRIES);
  expect([entries.length, entries.at(-1)?.name]).toEqual([70_000, '69999.md']);
  expect(() => readZipDirectory(archive, 'many.zip', 69_999)).toThrow(
    expect.objectContaining({ code: 'extract.malformed' }) as Error,
  );
});

test('an archive of up to 65,534 entries has no records of Zip64', () => {
  const zip64Locator = Buffer.of(0x50, 0x4b, 6, 7);
  expect(endRecords({ entries: 65_534, size: 1, offset: 1 })).toHaveLength(22);
  expect(Buffer.from(endRecords({ entries: 65_535, size: 1, offset: 1 })).includes(zip64Locator)).toBe(true);
});

test('an entry beyond 4 GiB is found by its 64-bit offset', () => {
  const header = { ...compressEntry(['text']), name: Buffer.from('far.md') };
  const start = 5 * 1024 ** 3;
  const entry = Buffer.concat([localHeader(header), ...header.parts]);
  const directory = centralHeader(header, start);
  const end = endRecords({ entries: 1, size: directory.byteLength, offset: start + entry.byteLength });
  const path = join(temporaryFolder(), 'far.zip');
  // The file is sparse: it takes no space before the entry.
  const file = openSync(path, 'w');
  writeSync(file, Buffer.concat([entry, directory, end]), 0, null, start);
  closeSync(file);
  expect(python(path, `print(z.read('far.md').decode())`)).toBe('text');
});

test('the sizes of an entry of more than 4 GiB precede it in 64 bits', () => {
  const sizes = { size: 6 * 1024 ** 3, compressedSize: 5 * 1024 ** 3 };
  const header = { parts: [], crc: 0, ...sizes, name: Buffer.from('a') };
  const local = Buffer.from(localHeader(header));
  expect(local.readUInt32LE(18)).toBe(0xffff_ffff);
  expect([Number(local.readBigUInt64LE(35)), Number(local.readBigUInt64LE(43))]).toEqual(Object.values(sizes));
  expect(Buffer.from(centralHeader(header, 0)).readUInt16LE(30)).toBe(20);
});

test('a directory of Zip64 that lies about its place or its offsets is malformed', () => {
  const zip = createZipWriter();
  const entry = Buffer.concat(zip.entry('a.md', ['a']));
  const directory = Buffer.from(zip.end()).subarray(0, -22);
  const read = (end: Uint8Array): unknown => readZipDirectory(Buffer.concat([entry, directory, end]), 'a.zip', 10);
  const records = { entries: 70_000, size: directory.byteLength, offset: entry.byteLength };
  const locatesNothing = Buffer.from(endRecords(records));
  locatesNothing.writeBigUInt64LE(0xffff_ffff_ffff_ffffn, 56 + 8);
  const startsNowhere = Buffer.from(endRecords(records));
  startsNowhere.writeBigUInt64LE(1n, 32);
  startsNowhere.writeBigUInt64LE(0xffff_ffff_ffff_ffffn, 48);
  for (const end of [endRecords(records), locatesNothing, startsNowhere])
    expect(() => read(end)).toThrow(expect.objectContaining({ code: 'extract.malformed' }) as Error);
});

test('the archive does not depend on how a text is split into parts', () => {
  const text = 'words 😀 and more. '.repeat(30_000);
  const archiveOf = (parts: readonly string[]): Buffer => Buffer.concat(createZipWriter().entry('a.md', parts));
  const odd = text.match(/.{1,7777}/gsu) ?? [];
  expect(archiveOf(odd).equals(archiveOf([text]))).toBe(true);
  expect(archiveOf(['', ...odd, '']).equals(archiveOf([text]))).toBe(true);
});
