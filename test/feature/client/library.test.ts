// The typed library, in this process and over HTTP: the same program, the same answers.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../../src/client/index.ts';
import { openLibrary, PinakesError, type Library, type LogEntry } from '../../../src/index.ts';
import { createDatabase } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { createDocSite, LOOPBACK, type StaticSite } from '../../support/static-sites.ts';
import { useLibrary } from './same-program.ts';

let site: StaticSite;
let server: TestServer;
let library: Library;
beforeAll(async () => {
  site = await createDocSite();
  server = await startTestServer({ PINAKES_FETCH_ALLOW_PORTS: '1024-65535' });
  library = connect({ server: server.url });
});
afterAll(async () => {
  await library.close();
  await server.stop();
  await site.close();
});

test('[K5] a program gets the same answers from a library in its process and from a server', async () => {
  await using local = await openLibrary({ dataDir: temporaryDirectory(), settings: LOOPBACK });
  const here = await useLibrary(local, site.url);
  expect(await useLibrary(library, site.url)).toEqual(here);
  expect(here).toMatchObject({ state: 'completed', pages: 3, bundle: true, violations: 0, states: ['completed'] });
  expect(here.passages[0]).toEqual([`${site.url}pool`, expect.stringContaining('thirty seconds')]);
  expect(here.events.filter((event) => event.startsWith('new '))).toHaveLength(3);
  expect(here.urls).toHaveLength(3);
  expect(here.failures.map((failure) => failure.split(' (')[0])).toEqual([
    'PinakesError input.invalid: query must not be empty',
    expect.stringMatching(/^PinakesError source\.unknown: There is no source currier/),
    expect.stringMatching(/^PinakesError source\./),
    expect.stringMatching(/^PinakesError run\.unknown/),
    'PinakesError input.invalid: limit must be at most 50',
    'PinakesError input.invalid: there is no input lmit',
    'Error : no longer wanted',
  ]);
});

test('[R4] URLs of an earlier run are listed by their outcome, excluded ones too', async () => {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, 'guide.md'), '# Guide\n\nStart here, and read on.\n');
  writeFileSync(join(folder, '.gitignore'), 'build.md\n');
  writeFileSync(join(folder, 'build.md'), '# Built\n');
  mkdirSync(join(folder, 'node_modules'));
  await using local = await openLibrary({ dataDir: temporaryDirectory() });
  await (await local.add({ url: folder, name: 'docs' })).done();
  const list = async (outcome: 'excluded' | 'dropped' | 'new') => {
    const { urls } = await local.call('list_urls', { run: '1', outcome });
    return urls.map(({ url, reason }) => `${url} ${reason}`).sort();
  };
  const before = await list('excluded');
  expect(before.length).toBeGreaterThan(0);
  await (await local.recrawl('docs')).done();
  expect(await list('excluded')).toEqual(before);
  expect(await list('dropped')).toEqual([]);
  expect(await list('new')).toEqual(['file:///guide.md null']);
});

describe('a library in this process', () => {
  test('rejects an input among the options of a call (finding Q2)', async () => {
    await using own = await openLibrary({ dataDir: temporaryDirectory() });
    const rejected = own.search('pool', { source: 'docs' } as object);
    await expect(rejected).rejects.toMatchObject({ code: 'input.invalid' });
    await expect(rejected).rejects.toThrow('source is not an option of a call');
  });

  test('names in an error what to call, not a command (finding T21)', async () => {
    await using own = await openLibrary({ dataDir: temporaryDirectory() });
    const rejected = own.sources.outline('nowhere');
    await expect(rejected).rejects.toMatchObject({ nextStep: 'library.sources.list() lists all sources' });
  });

  test('is closed by its signal, and then refuses every call', async () => {
    const stop = new AbortController();
    const own = await openLibrary({ dataDir: temporaryDirectory(), signal: stop.signal });
    stop.abort();
    await own.close();
    await expect(own.search('pool')).rejects.toMatchObject({ code: 'library.closed' });
    await expect(Array.fromAsync(own.events())).rejects.toMatchObject({ code: 'library.closed' });
    await expect(openLibrary({ dataDir: temporaryDirectory(), signal: stop.signal })).rejects.toThrow('aborted');
  });

  test('that is read-only works next to its owner, and changes nothing', async () => {
    const dataDir = temporaryDirectory();
    await using owner = await openLibrary({ dataDir, settings: LOOPBACK });
    await (await owner.add(site.url)).done();
    await using reader = await openLibrary({ dataDir, readOnly: true });
    expect((await reader.search('retries')).passages.length).toBeGreaterThan(0);
    await expect(reader.add(site.url)).rejects.toMatchObject({ code: 'library.read-only' });
    await expect(reader.work()).rejects.toMatchObject({ code: 'library.read-only' });
    await expect(openLibrary({ dataDir })).rejects.toMatchObject({ code: 'database.owned' });
  });

  test('continues a run when it is opened again', async () => {
    const slow = await createDocSite(300);
    const dataDir = temporaryDirectory();
    const first = await openLibrary({ dataDir, settings: LOOPBACK });
    const { id } = await first.add(slow.url);
    await first.close();
    await using again = await openLibrary({ dataDir, settings: LOOPBACK });
    await again.work();
    expect(await again.run(id).status()).toMatchObject({ state: 'completed', counts: { new: 3 } });
    await slow.close();
  });

  test('that does not work leaves its runs to another one on the same database', async () => {
    const { url: databaseUrl, drop } = await createDatabase();
    {
      await using worker = await openLibrary({ databaseUrl, settings: LOOPBACK });
      await using idle = await openLibrary({ databaseUrl, work: false });
      const run = await idle.add(site.url);
      expect((await run.status()).state).toBe('queued');
      await worker.work();
      expect((await run.done()).state).toBe('completed');
      expect((await idle.search('retries')).passages.length).toBeGreaterThan(0);
    }
    await drop();
  });

  test('pauses, resumes and stops a run', async () => {
    const slow = await createDocSite(200);
    await using own = await openLibrary({ dataDir: temporaryDirectory(), settings: LOOPBACK });
    const run = await own.add(slow.url);
    expect((await run.pause()).state).toBe('paused');
    expect((await run.resume()).state).not.toBe('paused');
    await run.stop();
    expect((await run.done()).state).toBe('stopped');
    await slow.close();
  });

  test('reads local files unless the call forbids it', async () => {
    await using own = await openLibrary({ dataDir: temporaryDirectory() });
    const url = import.meta.dirname;
    await expect(own.add(url, { localFiles: false })).rejects.toMatchObject({ code: 'files.forbidden' });
    expect((await (await own.add({ url, name: 'tests' })).done()).state).toBe('completed');
  });

  test('rejects settings that do not exist, and suggests one that does', async () => {
    const settings = { fetch: { timeoutMS: 5 } } as never;
    await expect(openLibrary({ dataDir: temporaryDirectory(), settings })).rejects.toThrow(/fetch\.timeoutMs/);
    await expect(openLibrary({ dataDir: '', settings: {} })).rejects.toBeInstanceOf(PinakesError);
  });

  test('changes nothing of its process, and logs only to its caller', async () => {
    const before = processState();
    const lines: LogEntry[] = [];
    const written: unknown[] = [];
    const write = process.stderr.write.bind(process.stderr);
    process.stderr.write = (text) => written.push(text) > 0;
    try {
      await using own = await openLibrary({
        dataDir: temporaryDirectory(),
        settings: { ...LOOPBACK, log: { level: 'debug' } },
        log: (entry) => lines.push(entry),
      });
      await (await own.add(site.url)).done();
    } finally {
      process.stderr.write = write;
    }
    expect(processState()).toEqual(before);
    expect(written).toEqual([]);
    expect(lines.every(({ level, message }) => typeof level === 'string' && typeof message === 'string')).toBe(true);
  });
});

function processState(): object {
  return {
    listeners: process.eventNames().map((name) => [name, process.listenerCount(name)] as const),
    exitCode: process.exitCode,
    directory: process.cwd(),
    mask: process.umask(),
    env: { ...process.env },
  };
}

describe('a library on a server', () => {
  test('reports a server that is not there, and one that is no Pinakes', async () => {
    await expect(connect({ server: 'http://127.0.0.1:9' }).search('x')).rejects.toMatchObject({
      code: 'server.unreachable',
      retryable: true,
    });
    await expect(connect({ server: site.url }).search('x')).rejects.toThrow('not as Pinakes does');
  });

  test('says what it cannot do for a caller elsewhere', async () => {
    await expect(library.import('docs.zip')).rejects.toMatchObject({ code: 'server.unsupported' });
  });

  test('continues its events where a broken connection ended, without a gap or a repetition', async () => {
    let connections = 0;
    const broken = connect({
      server: server.url,
      // Each connection to the stream breaks after its second part.
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        if (!url.includes('/events?') || response.body === null) return response;
        connections += 1;
        let parts = 0;
        const cut = new TransformStream<Uint8Array, Uint8Array>({
          transform(part, controller) {
            controller.enqueue(part);
            parts += 1;
            if (parts >= 2) controller.error(new Error('cut'));
          },
        });
        return new Response(response.body.pipeThrough(cut), { headers: response.headers });
      },
    });
    const run = await broken.add({ url: site.url, name: 'cut' });
    const seen = await Array.fromAsync(run.events(), ({ seq }) => seq);
    const stored = await library.call('list_events', { run: String(run.id), limit: 1000 });
    expect(seen).toEqual(stored.events.map(({ seq }) => seq).toReversed());
    expect(connections).toBeGreaterThan(1);
  });

  test('ends the events of a run that has ended, and those of a closed library', async () => {
    const run = await library.add({ url: site.url, name: 'ended' });
    await run.done();
    expect(await Array.fromAsync(library.run(run.id).events())).toEqual([]);
    const all = await Array.fromAsync(library.run(run.id).events({ after: 0 }), ({ kind }) => kind);
    expect([all[0], all.at(-1)]).toEqual(['run-started', 'run-ended']);
    const own = connect({ server: server.url });
    const waiting = Array.fromAsync(own.events());
    await own.search('pool');
    await own.close();
    await expect(waiting).rejects.toMatchObject({ code: 'library.closed' });
  });
});
