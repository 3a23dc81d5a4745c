import { expect, test } from 'vitest';
import { folderFromDrop } from './folder-picker.tsx';

const file = (name: string): object => ({
  isFile: true,
  isDirectory: false,
  name,
  file: (done: (file: File) => void) => done(new File(['text'], name)),
});

function folder(name: string, inside: readonly object[]): object {
  const batches = [inside, []];
  const readEntries = (done: (entries: readonly object[]) => void): void => done(batches.shift() ?? []);
  return { isFile: false, isDirectory: true, name, createReader: () => ({ readEntries }) };
}

async function dropped(...entries: readonly object[]): Promise<readonly unknown[] | null> {
  const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry }));
  const picked = await folderFromDrop(items as unknown as DataTransferItemList);
  return picked && [picked.name, ...picked.files.map(({ path }) => path)];
}

test('everything that is dropped is read, and gives the library its name', async () => {
  expect(await dropped()).toBeNull();
  expect(await dropped(folder('docs', [file('a.md'), folder('deep', [file('b.md')])]))).toEqual([
    'docs',
    'a.md',
    'deep/b.md',
  ]);
  expect(await dropped(folder('docs', [file('a.md')]), file('notes.txt'), folder('api', [file('a.md')]))).toEqual([
    'docs and 2 more',
    'docs/a.md',
    'notes.txt',
    'api/a.md',
  ]);
  expect(await dropped(file('notes.v2.txt'))).toEqual(['notes.v2', 'notes.v2.txt']);
});
