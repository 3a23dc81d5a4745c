// Two processes that copy a library into the same files or collection: the second is turned away, so nothing is torn or written twice.

import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { openLibrary, type Library } from '../../../src/index.ts';
import { createChangingFolder, type ChangingFolder } from '../../support/changing-folder.ts';
import { start, type RunningProgram } from '../../support/program.ts';
import { needing } from '../../support/needs.ts';
import { startQdrant } from '../../support/qdrant-server.ts';
import { folderPages, jsonlChunks, libraryChunks, libraryPages, qdrantChunks } from '../../support/read-targets.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';

const WITHIN_MS = 120_000;
const COPIES = {
  jsonl: { read: jsonlChunks, expected: libraryChunks },
  folder: { read: folderPages, expected: libraryPages },
} as const;

const programs: RunningProgram[] = [];
let dataDir: string;
let docs: ChangingFolder;
let library: Library;

beforeEach(async () => {
  dataDir = temporaryDirectory();
  docs = createChangingFolder(30);
  library = await openLibrary({ dataDir });
  await docs.sync(library);
});
afterEach(async () => {
  for (const program of programs.splice(0)) {
    program.kill('SIGKILL');
    await program.ended;
  }
  await library.close();
});

function startSink(args: readonly string[]): RunningProgram {
  const program = start({ PINAKES_DATA_DIR: dataDir }, ['sink', ...args]);
  programs.push(program);
  return program;
}

test.each(['jsonl', 'folder'] as const)(
  '[K2] one process at a time writes a copy in %s',
  { timeout: 600_000 },
  async (kind) => {
    const target = join(temporaryDirectory(), 'copy');
    const { read, expected } = COPIES[kind];
    const isEqual = async (): Promise<boolean> =>
      JSON.stringify(read(target)) === JSON.stringify(await expected(library));
    const first = startSink([kind, target, '--follow']);
    await waitUntil('the copy is equal', isEqual, WITHIN_MS);

    const second = await startSink([kind, target]).ended;
    expect(second.code).not.toBe(0);
    expect(second.stderr).toContain('Another process writes to');

    await docs.sync(library);
    await waitUntil('the copy is equal again', isEqual, WITHIN_MS);

    first.kill('SIGKILL');
    await first.ended;
    await docs.sync(library);
    expect(await startSink([kind, target]).ended).toMatchObject({ code: 0 });
    expect(read(target)).toEqual(await expected(library));
  },
);

test('of two processes that start at the same time, one writes the copy', { timeout: 600_000 }, async () => {
  const target = join(temporaryDirectory(), 'chunks.jsonl');
  const ended = await Promise.all([startSink(['jsonl', target]).ended, startSink(['jsonl', target]).ended]);
  for (const { code, stderr } of ended) if (code !== 0) expect(stderr).toContain('Another process writes to');
  expect(ended.some(({ code }) => code === 0)).toBe(true);
  expect(jsonlChunks(target)).toEqual(await libraryChunks(library));
});

const qdrant = startQdrant();
afterAll(() => qdrant?.close());

const OPTIONS = { ...needing('Qdrant', qdrant !== null), timeout: 600_000 };

test('[K2] one process at a time writes to a collection', OPTIONS, async () => {
  const url = qdrant?.urls[0] ?? '';
  const args = ['qdrant', url, '--collection', 'docs'];
  const isEqual = async (): Promise<boolean> => {
    const chunks = await qdrantChunks(url, 'docs').catch(() => []);
    return chunks.length > 0 && JSON.stringify(chunks) === JSON.stringify(await libraryChunks(library));
  };
  const first = startSink([...args, '--follow']);
  await waitUntil('the collection is equal', isEqual, WITHIN_MS);
  const second = await startSink(args).ended;
  expect(second.code).not.toBe(0);
  expect(second.stderr).toContain('Another process writes to');

  // A process that hangs loses the collection, and changes nothing when it continues.
  first.kill('SIGSTOP');
  docs.mutate();
  await docs.sync(library);
  const third = startSink([...args, '--follow']);
  await waitUntil('the collection is equal again', isEqual, WITHIN_MS);
  docs.mutate();
  await docs.sync(library);
  first.kill('SIGCONT');
  expect((await first.ended).stderr).toContain('Another process writes to');
  await waitUntil('the collection is equal after the other one', isEqual, WITHIN_MS);

  third.kill('SIGKILL');
  await third.ended;
  docs.mutate();
  await docs.sync(library);
  expect(await startSink(args).ended).toMatchObject({ code: 0 });
  expect(await isEqual()).toBe(true);
});
