import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { createZipWriter } from './zip-writer.ts';

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

test('more entries than the format allows are an error', () => {
  const zip = createZipWriter();
  const empty = new Uint8Array();
  const addAll = (): void => {
    for (let nth = 0; nth < 65_535; nth += 1) zip.entry(`${nth}`, empty);
  };
  expect(addAll).toThrow(expect.objectContaining({ code: 'export.too-large' }) as Error);
});

test('the archive does not depend on how a text is split into parts', () => {
  const text = 'words 😀 and more. '.repeat(30_000);
  const archiveOf = (parts: readonly string[]): Buffer => Buffer.concat(createZipWriter().entry('a.md', parts));
  const odd = text.match(/.{1,7777}/gsu) ?? [];
  expect(archiveOf(odd).equals(archiveOf([text]))).toBe(true);
  expect(archiveOf(['', ...odd, '']).equals(archiveOf([text]))).toBe(true);
});
