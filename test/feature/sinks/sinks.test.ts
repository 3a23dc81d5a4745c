// Sinks are equal to the library: after the first copy, after changes, after a source is removed or renamed, and after their position is lost.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../../src/client/index.ts';
import { createFolderSink, createJsonlSink, createQdrantSink, runSink, type Sink } from '../../../src/compose/sinks.ts';
import { openLibrary, type Library } from '../../../src/index.ts';
import type { Embedder } from '../../../src/ports.ts';
import { startQdrant } from '../../support/qdrant-server.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { addFiles, startTestServer } from '../../support/test-server.ts';
import { createChangingFolder, type ChangingFolder } from '../../support/changing-folder.ts';
import {
  folderPages,
  jsonlChunks,
  libraryChunks,
  libraryPages,
  qdrantChunks,
  qdrantPoints,
} from '../../support/read-targets.ts';
import { needing } from '../../support/needs.ts';

const qdrant = startQdrant();
const url = qdrant?.urls[0] ?? '';
afterAll(() => qdrant?.close());

interface Target {
  readonly open: () => Sink;
  readonly read: () => Promise<string[]> | string[];
  readonly expected: (library: Library) => Promise<string[]>;
}

function jsonl(): Target {
  const file = join(temporaryDirectory(), 'chunks.jsonl');
  return { open: () => createJsonlSink({ file }), read: () => jsonlChunks(file), expected: libraryChunks };
}

function folder(): Target {
  const path = join(temporaryDirectory(), 'pages');
  return { open: () => createFolderSink({ folder: path }), read: () => folderPages(path), expected: libraryPages };
}

let collections = 0;

function collection(): Target & { readonly name: string } {
  const name = `test-${process.pid}-${(collections += 1)}`;
  return {
    name,
    open: () => createQdrantSink({ url, collection: name }),
    read: () => qdrantChunks(url, name),
    expected: libraryChunks,
  };
}

async function filled(files = 23): Promise<{ library: Library; docs: ChangingFolder }> {
  const docs = createChangingFolder(files);
  const library = await openLibrary({ dataDir: temporaryDirectory() });
  await docs.sync(library);
  return { library, docs };
}

const TARGETS: ReadonlyArray<readonly [string, () => Target]> = [
  ['a JSONL file', jsonl],
  ['a folder', folder],
  ...(qdrant === null ? [] : [['a Qdrant collection', collection] as const]),
];

describe.each(TARGETS)('%s', (_, createTarget) => {
  let library: Library;
  let docs: ChangingFolder;
  const target = createTarget();
  beforeAll(async () => {
    ({ library, docs } = await filled());
  });
  afterAll(() => library.close());

  const copy = () => runSink(library, target.open());

  test('[K2] is filled from the whole library, and then told of changes only', async () => {
    expect(await copy()).toMatchObject({ written: 23, deleted: 0, listed: true });
    expect(await target.read()).toEqual(await target.expected(library));
    expect(await copy()).toMatchObject({ written: 0, deleted: 0, listed: false });

    docs.mutate();
    await docs.sync(library);
    const { written, deleted, listed } = await copy();
    expect({ isSome: written > 0 && written < 10, deleted, listed }).toEqual({
      isSome: true,
      deleted: 2,
      listed: false,
    });
    expect(await target.read()).toEqual(await target.expected(library));
  });

  test('[K2] follows what changes until it is stopped', async () => {
    const stop = new AbortController();
    const following = runSink(library, target.open(), { follow: true, signal: stop.signal });
    docs.mutate();
    await docs.sync(library);
    const expected = await target.expected(library);
    await expect.poll(async () => target.read(), { timeout: 20_000 }).toEqual(expected);
    stop.abort();
    expect((await following).written).toBeGreaterThan(0);
  });

  test('[K2] loses the pages of a source that is removed, and only those', async () => {
    const other = createChangingFolder(3);
    await (await library.add({ url: other.path, name: 'other' })).done();
    await copy();
    expect(await target.read()).toEqual(await target.expected(library));
    await library.sources.remove('other');
    expect(await copy()).toMatchObject({ written: 0, deleted: 3, listed: false });
    expect(await target.read()).toEqual(await target.expected(library));
  });

  test('[K2] is compared with everything when its position is that of another library', async () => {
    const second = await filled(31);
    for (let round = 0; round < 3; round += 1) second.docs.mutate();
    await second.docs.sync(second.library);
    expect(await runSink(second.library, target.open())).toMatchObject({ listed: true });
    expect(await target.read()).toEqual(await target.expected(second.library));
    await second.library.close();
  });
});

test('[K2] the same library gives the same JSONL file, however it was reached', async () => {
  const { library, docs } = await filled();
  const [followed, fresh] = [0, 1].map(() => join(temporaryDirectory(), 'pages.jsonl')) as [string, string];
  const copy = (file: string) => runSink(library, createJsonlSink({ file, records: 'pages' }));
  await copy(followed);
  for (let round = 0; round < 3; round += 1) {
    docs.mutate();
    await docs.sync(library);
    await copy(followed);
  }
  await copy(fresh);
  expect(readFileSync(followed, 'utf8')).toBe(readFileSync(fresh, 'utf8'));
  expect(readdirSync(join(followed, '..')).toSorted()).toEqual([
    '.pages.jsonl.lock',
    'pages.jsonl',
    'pages.jsonl.position.json',
  ]);
  await library.close();
});

test('[K2] a folder follows the name of its source, and a folder of somebody else is left alone', async () => {
  const { library } = await filled(3);
  const path = join(temporaryDirectory(), 'pages');
  await runSink(library, createFolderSink({ folder: path }));
  await library.sources.edit({ source: 'docs', name: 'manual' });
  await runSink(library, createFolderSink({ folder: path }), { rebuild: true });
  expect(readdirSync(path).toSorted()).toEqual(['.pinakes-sink.json', '.pinakes-sink.lock', 'manual']);
  expect(folderPages(path)).toEqual(await libraryPages(library));

  const own = temporaryDirectory();
  writeFileSync(join(own, 'notes.md'), 'mine');
  await expect(runSink(library, createFolderSink({ folder: own }))).rejects.toThrow('no sink has written it');
  mkdirSync(join(own, 'empty'));
  await expect(runSink(library, createFolderSink({ folder: join(own, 'empty') }))).resolves.toMatchObject({
    written: 3,
  });
  await library.close();
});

/** As many dimensions as it is given letters, by how often they occur. */
function letterModel(model: string, dimensions: number): Embedder {
  const space = { model, revision: '1', dtype: 'fp32', pooling: 'mean', queryPrefix: '', passagePrefix: '' } as const;
  return {
    space: { ...space, textFormat: 1, maxTokens: 512, dimensions },
    countTokens: (text) => text.length / 4,
    embed: async (texts) =>
      texts.map((text) => {
        const vector = new Float32Array(dimensions).fill(0.01);
        for (let at = 0; at < text.length; at += 1) vector[text.charCodeAt(at) % dimensions]! += 1;
        const length = Math.hypot(...vector);
        return { kind: 'embedded' as const, vector: vector.map((value) => value / length) };
      }),
    health: () => ({ state: 'ready', reason: null }),
    close: async () => undefined,
  };
}

test('a folder gets no file that agents or tools obey (finding V05)', async () => {
  const docs = temporaryDirectory();
  const names = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', 'README.md', 'SKILL.md', 'guide.md'];
  for (const name of names) writeFileSync(join(docs, name), `# ${name}\n\nThis is the text of ${name}.\n`);
  const library = await openLibrary({ dataDir: temporaryDirectory() });
  await (await library.add({ url: docs, name: 'lib' })).done();
  const path = join(temporaryDirectory(), 'pages');
  await runSink(library, createFolderSink({ folder: path }));
  await library.close();
  const written = readdirSync(join(path, 'lib')).sort();
  expect(written).toHaveLength(names.length);
  expect(written.filter((name) => !/^_[A-Z]+-[\da-f]{8}\.md$/.test(name))).toEqual(['guide.md']);
});

test('[K2] a sink reads a server as it reads a library', async () => {
  const server = await startTestServer({}, async (library) => {
    await addFiles(library, 'guide', {
      'a.md': '# A\n\nThe pool keeps its connections open for thirty seconds, and closes them afterwards.\n',
    });
  });
  const library = connect({ server: server.url });
  const file = join(temporaryDirectory(), 'chunks.jsonl');
  expect(await runSink(library, createJsonlSink({ file }))).toMatchObject({ written: 1, listed: true });
  expect(jsonlChunks(file)).toEqual(await libraryChunks(library));
  await server.stop();
});

describe('a Qdrant collection of payloads', needing('Qdrant', qdrant !== null), () => {
  test('[K2] has flat payloads with indexes, says why it has no vectors, and deletes by URL', async () => {
    const { library } = await filled(4);
    const { name, open } = collection();
    const { notes } = await runSink(library, open());
    expect(notes).toEqual([expect.stringContaining('has payloads and no vectors')]);
    const [point] = await qdrantPoints(url, name);
    expect(point?.payload).toMatchObject({
      source_type: 'local_file',
      chunk_index: expect.any(Number),
      tags: expect.arrayContaining(['docs']),
    });
    const { result } = (await (await fetch(`${url}/collections/${name}`)).json()) as {
      result: { payload_schema: Record<string, { data_type: string }> };
    };
    const types = Object.entries(result.payload_schema).map(([field, { data_type: type }]) => `${field} ${type}`);
    for (const field of ['file_path_relative', 'source_url', 'filename', 'modification_date', 'tags'])
      expect(types).toContain(`${field} keyword`);
    expect(types).toContain('chunk_index integer');

    const sink = createQdrantSink({ url, collection: name });
    const ofPage = (await qdrantPoints(url, name)).filter(({ payload }) => payload.source_url === 'file:///page-1.md');
    expect(await sink.deleteByUrl('file:///page-1.md')).toBe(ofPage.length);
    expect(await sink.deleteByUrl('file:///page-1.md')).toBe(0);
    await library.close();
  });

  test('[K2] has the vectors of the library, and refuses those of another model', async () => {
    const docs = createChangingFolder(8);
    const open = (embed: Embedder) => openLibrary({ dataDir, embed });
    const dataDir = temporaryDirectory();
    const target = collection();
    {
      await using library = await open(letterModel('letters', 26));
      await docs.sync(library);
      await library.work();
      const { written, notes } = await runSink(library, target.open());
      expect({ written, notes }).toEqual({ written: 8, notes: [] });
      const points = await qdrantPoints(url, target.name);
      expect(points.map(({ vector }) => (vector as readonly number[]).length)).toEqual(points.map(() => 26));
    }
    await using library = await open(letterModel('digits', 10));
    docs.mutate();
    await docs.sync(library);
    await library.work();
    await expect(runSink(library, target.open())).rejects.toMatchObject({ code: 'sink.embedding-mismatch' });
    expect(await runSink(library, createQdrantSink({ url, collection: target.name, vectors: false }))).toMatchObject({
      notes: [],
    });
  });

  test('[K2] a collection that no sink has created is left alone', async () => {
    const { library } = await filled(1);
    const name = `foreign-${process.pid}`;
    await fetch(`${url}/collections/${name}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ vectors: {} }),
    });
    await expect(runSink(library, createQdrantSink({ url, collection: name }))).rejects.toMatchObject({
      code: 'sink.not-managed',
    });
    await library.close();
  });
});
