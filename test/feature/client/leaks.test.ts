// A program may open libraries again and again, and abort any call at any moment.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { openLibrary, type Library } from '../../../src/index.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { createDocSite, LOOPBACK } from '../../support/static-sites.ts';
import { createRandom } from '../../support/random.ts';

const LIBRARIES = 200;

/** Measured: see the line that the test prints. */
const MAX_GROWTH_MB = 10;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('[K5] 200 libraries opened and closed leave no handle, no listener and no memory behind', async () => {
  const signal = new AbortController().signal;
  let removed = 0;
  const remove = signal.removeEventListener.bind(signal);
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    removed += 1;
    remove(...args);
  };
  const openAndClose = async (dataDir: string): Promise<void> => {
    await using library = await openLibrary({ dataDir, signal });
    expect((await library.sources.list()).length).toBe(0);
  };
  const folders = Array.from({ length: 10 }, () => temporaryDirectory());
  for (const folder of folders) await openAndClose(folder);
  const before = measure();
  const open = await Promise.all(folders.map((dataDir) => openLibrary({ dataDir })));
  await Promise.all(open.map((library) => library.close()));
  for (let i = 0; i < LIBRARIES; i += 1) await openAndClose(folders[i % folders.length] ?? '');
  const after = measure();
  expect(after.handles).toEqual(before.handles);
  expect(after.listeners).toBe(before.listeners);
  expect(removed).toBe(LIBRARIES + folders.length);
  console.log(`heap: ${before.heapMb.toFixed(1)} MB, after ${LIBRARIES} libraries ${after.heapMb.toFixed(1)} MB`);
  expect(after.heapMb - before.heapMb).toBeLessThan(MAX_GROWTH_MB);
});

interface Measured {
  readonly handles: readonly string[];
  readonly listeners: number;
  readonly heapMb: number;
}

function measure(): Measured {
  collectGarbage();
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  const handles = process.getActiveResourcesInfo().filter((name) => name !== 'Immediate' && name !== 'Timeout');
  return { handles: handles.toSorted(), listeners, heapMb: process.memoryUsage().heapUsed / 2 ** 20 };
}

const ABORTS = 1000;

test('[K5] calls aborted at 1,000 random moments leave no lock and no running work', async () => {
  const site = await createDocSite();
  const before = measure();
  const dataDir = temporaryDirectory();
  const library = await openLibrary({ dataDir, settings: LOOPBACK });
  await (await library.add({ url: site.url, name: 'courier' })).done();
  const random = createRandom(7);
  const outcomes = { aborted: 0, answered: 0, refused: 0 };
  for (let i = 0; i < ABORTS; i += 1) {
    const call = CALLS[i % CALLS.length];
    const stop = new AbortController();
    const calling = call?.(library, stop.signal, `s${i}`).then(
      () => 'answered' as const,
      (error: unknown) => (error === stop.signal.reason ? ('aborted' as const) : ('refused' as const)),
    );
    if (random() < 0.3) stop.abort();
    else setTimeout(() => stop.abort(), random() * 8);
    outcomes[(await calling) ?? 'refused'] += 1;
  }
  expect(outcomes.aborted).toBeGreaterThan(ABORTS / 4);
  console.log(JSON.stringify(outcomes));
  // Every call still works, and what an aborted one left running does not hold the library.
  expect((await library.search('pool')).passages.length).toBeGreaterThan(0);
  expect((await library.verify()).violations).toEqual([]);
  await library.close();
  expect(measure().handles).toEqual(before.handles);
  await using again = await openLibrary({ dataDir, settings: LOOPBACK });
  expect((await again.search('pool')).passages.length).toBeGreaterThan(0);
  await site.close();
});

type Call = (library: Library, signal: AbortSignal, name: string) => Promise<unknown>;

const CALLS: readonly Call[] = [
  (library, signal) => library.search('how long does the pool keep a connection', { signal }),
  (library, signal) => library.read('pool', { signal }),
  (library, signal) => Array.fromAsync(library.chunks('courier', { signal })),
  (library, signal) => Array.fromAsync(library.export('courier', { signal })),
  (library, signal) => Array.fromAsync(library.pages('courier', { signal })),
  (library, signal) => library.run(1).done({ signal }),
  (library, signal) => Array.fromAsync(library.run(1).events({ signal, after: 0 })),
  (library, signal) => library.sources.list({}, { signal }),
  (library, signal) => library.call('edit_source', { source: 'courier', maxPages: 50 }, { signal }),
  (library, signal) => Array.fromAsync(library.events({ signal })),
];
