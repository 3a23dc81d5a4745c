// The feed of changes on every interface: everything once, then what changes, from any position.

import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../../src/client/index.ts';
import { openLibrary, type ActionOutput, type Library } from '../../../src/index.ts';
import { openStream } from '../../support/read-stream.ts';
import { loadDocumentedPrograms } from './documented-programs.ts';
import { createDatabase } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { addFiles, startTestServer, type TestServer } from '../../support/test-server.ts';

type Change = ActionOutput<'list_changes'>['changes'][number];

const text = (words: string): string =>
  `# Guide\n\n${words} is described here at some length, so that the page is stored as content that can be found.\n`;

/** A folder with three files. */
function createFolder(): string {
  const folder = temporaryDirectory();
  for (const name of ['one', 'two', 'three']) writeFileSync(join(folder, `${name}.md`), text(name));
  return folder;
}

/** As many as there are, without waiting. */
async function read(library: Library, since?: string): Promise<Change[]> {
  const all: Change[] = [];
  for (let position = since; ;) {
    const found = await library.call('list_changes', { since: position, limit: 2 });
    all.push(...found.changes);
    ({ position } = found);
    if (!found.hasMore) return all;
  }
}

const names = (changes: readonly Change[]): string[] =>
  changes.map((change) =>
    change.kind === 'list-end' ? change.kind : `${change.kind} ${change.url.split('/').at(-1)}`,
  );

describe.each(['sqlite', 'postgres'] as const)('the changes of a library on %s', (engine) => {
  let library: Library;
  let drop = async (): Promise<void> => undefined;
  const folder = createFolder();
  beforeAll(async () => {
    const database = engine === 'postgres' ? await createDatabase() : null;
    drop = async () => database?.drop();
    library = await openLibrary(
      database === null
        ? { dataDir: temporaryDirectory() }
        : { databaseUrl: database.url, dataDir: temporaryDirectory() },
    );
    await (await library.add({ url: folder, name: 'docs' })).done();
  });
  afterAll(async () => {
    await library.close();
    await drop();
  });

  test('are everything that is there, each page once with its chunks, and then the end of the list', async () => {
    const changes = await read(library);
    expect(names(changes).toSorted()).toEqual(['list-end', 'listed one.md', 'listed three.md', 'listed two.md']);
    expect(changes.at(-1)?.kind).toBe('list-end');
    const chunks = await Array.fromAsync(library.chunks('docs'));
    expect(changes.flatMap((change) => ('added' in change ? change.added : [])).toSorted()).toEqual(
      chunks.map(({ id }) => id).toSorted(),
    );
  });

  test('continue within the list from the position of any page', async () => {
    const changes = await read(library);
    for (const [i, { position }] of changes.entries())
      expect(names(await read(library, position))).toEqual(names(changes.slice(i + 1)));
  });

  test('[K6] come in order after a position, with the ids that were added and removed', async () => {
    const { position: start } = await library.call('list_changes', { since: 'now' });
    const before = await read(library);
    writeFileSync(join(folder, 'two.md'), text('another thing'));
    await (await library.recrawl('docs')).done();
    const [change] = await read(library, start);
    const was = before.find((one) => 'url' in one && one.url.endsWith('two.md'));
    expect(change).toMatchObject({
      kind: 'changed',
      source: 'docs',
      version: '',
      removed: (was as { added: string[] }).added,
    });
    expect(await read(library, change?.position)).toEqual([]);
    expect(names(await read(library, '0'))).toHaveLength(4);
  });

  test('of one source are those of that source, also after it was removed', async () => {
    await (await library.add({ url: createFolder(), name: 'other' })).done();
    const { position } = await library.call('list_changes', { since: 'now' });
    await library.sources.remove('other');
    const gone = await library.call('list_changes', { since: position, source: 'other' });
    expect(gone.changes.map((change) => ('source' in change ? [change.kind, change.source] : []))).toEqual(
      Array.from({ length: 3 }, () => ['removed', 'other']),
    );
    const others = await library.call('list_changes', { since: position, source: 'docs' });
    expect([others.changes, others.position]).toEqual([[], gone.position]);
    await expect(library.call('list_changes', { source: 'nobody' })).rejects.toMatchObject({ code: 'source.unknown' });
  });

  test('are waited for, and the wait ends with its time or its signal', async () => {
    const { position } = await library.call('list_changes', { since: 'now' });
    const started = performance.now();
    expect((await library.call('list_changes', { since: position, wait: 0.3 })).changes).toEqual([]);
    expect(performance.now() - started).toBeGreaterThan(250);
    const stop = new AbortController();
    const waiting = library.call('list_changes', { since: position, wait: 60 }, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    const next = library.call('list_changes', { since: position, wait: 60 });
    writeFileSync(join(folder, 'three.md'), text('a third thing'));
    const run = await library.recrawl('docs');
    expect(names((await next).changes)).toEqual(['changed three.md']);
    await run.done();
  });

  test('are followed without end', async () => {
    const { position } = await library.call('list_changes', { since: 'now' });
    writeFileSync(join(folder, 'four.md'), text('a fourth thing'));
    const run = await library.recrawl('docs');
    for await (const change of library.changes({ since: position })) {
      expect(names([change])).toEqual(['new four.md']);
      break;
    }
    await run.done();
  });

  test('after a position of another library have expired', async () => {
    const expired = { code: 'changes.expired', httpStatus: 410 };
    const { position } = await library.call('list_changes', { since: 'now' });
    const [id = '', number = '', at = ''] = position.split('-');
    for (const since of [
      `${'0'.repeat(16)}-${number}-${at}`,
      `${id}-${number}-${at}0`,
      `${id}-${Number(number) + 1}-${at}`,
      String(Number(number) + 1),
    ]) {
      const error = await library.call('list_changes', { since }).catch((raised: unknown) => raised);
      expect(error).toMatchObject(expired);
      expect((error as Error & { nextStep: string }).nextStep).toContain(
        `list everything again, then continue from ${position}`,
      );
    }
    await expect(library.call('list_changes', { since: 'yesterday' })).rejects.toMatchObject({ code: 'input.invalid' });
  });
});

test('a position from before a restore is detected, even when the library has grown past it', async () => {
  const dataDir = temporaryDirectory();
  const folder = createFolder();
  const file = join(temporaryDirectory(), 'backup.db');
  const change = async (library: Library, words: string): Promise<string> => {
    writeFileSync(join(folder, 'one.md'), text(words));
    await (await library.recrawl('docs')).done();
    return (await library.call('list_changes', { since: 'now' })).position;
  };
  let position = '';
  {
    await using library = await openLibrary({ dataDir });
    await (await library.add({ url: folder, name: 'docs' })).done();
    await library.call('backup_library', { out: file });
    position = await change(library, 'after the backup');
  }
  const restored = temporaryDirectory();
  copyFileSync(file, join(restored, 'pinakes.db'));
  await using library = await openLibrary({ dataDir: restored });
  await expect(library.call('list_changes', { since: position })).rejects.toMatchObject({ code: 'changes.expired' });
  await change(library, 'on the other branch');
  await change(library, 'and again');
  await expect(library.call('list_changes', { since: position })).rejects.toMatchObject({ code: 'changes.expired' });
});

describe('the changes of a server', () => {
  let server: TestServer;
  let library: Library;
  beforeAll(async () => {
    const files = { 'one.md': text('one'), 'two.md': text('two'), 'three.md': text('three') };
    server = await startTestServer({}, (own) => addFiles(own, 'docs', files));
    library = connect({ server: server.url });
  });
  afterAll(async () => {
    await library.close();
    await server.stop();
  });

  test('are the same over HTTP', async () => {
    expect(names(await read(library)).toSorted()).toEqual([
      'list-end',
      'listed one.md',
      'listed three.md',
      'listed two.md',
    ]);
    const { status, headers } = await fetch(`${server.url}/api/changes?since=${'0'.repeat(16)}-1-0`);
    expect([status, headers.get('content-type')]).toEqual([410, 'application/json']);
    expect((await fetch(`${server.url}/api/changes?wait=61`)).status).toBe(400);
  });

  test('are followed by the documented program, which starts over after its position expired', async () => {
    const { follow } = await loadDocumentedPrograms();
    const seen: string[] = [];
    const stop = new AbortController();
    let position: string | undefined = `${'0'.repeat(16)}-1-0`;
    const copy = {
      position: () => position,
      apply(change: Change) {
        seen.push(change.kind);
        ({ position } = change);
        if (change.kind === 'list-end') stop.abort(new Error('enough'));
      },
      forgetPosition: () => void (position = undefined),
    };
    await expect(follow(server.url, copy, stop.signal)).rejects.toThrow('enough');
    expect(seen).toEqual(['listed', 'listed', 'listed', 'list-end']);
  });

  test('are streamed, and the stream continues after the last id', async () => {
    const stream = await openStream(`${server.url}/api/changes/stream`);
    await stream.until(({ event }) => event === 'list-end');
    stream.close();
    expect(stream.frames.map(({ event }) => event)).toEqual(['listed', 'listed', 'listed', 'list-end']);
    const after = String(stream.frames[2]?.data['position']);
    const again = await openStream(`${server.url}/api/changes/stream`, { 'last-event-id': after });
    expect(await again.until(() => true)).toMatchObject({ event: 'list-end' });
    again.close();
    expect((await openStream(`${server.url}/api/changes/stream?since=${'0'.repeat(16)}-1-0`)).status).toBe(410);
  });
});
