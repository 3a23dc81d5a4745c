// What a folder takes in memory once browser mode has indexed it: a tab has less of it than a server.

import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createBrowserLibrary } from '../../../web/browser-mode/browser-library.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Buffers are freed in the background, some time after they were collected: the least of several readings counts. */
async function used(): Promise<number> {
  const readings: number[] = [];
  for (let count = 0; count < 5; count += 1) {
    await wait(50);
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    readings.push(heapUsed + arrayBuffers);
  }
  return Math.min(...readings);
}

test('an indexed folder takes less than twice its bytes', async () => {
  const section = (nth: number): string =>
    `## Part ${nth}\n\n${`The kettle’s lid, number ${nth}, is closed. `.repeat(20)}\n`;
  const text = Array.from({ length: 40 }, (_, nth) => section(nth)).join('\n');
  const bodies = Array.from({ length: 50 }, (_, nth) => new Blob([`# Page ${nth}\n\n${text}`]));
  const files = bodies.map((file, nth) => ({ path: `page-${nth}.md`, file }));
  const bytes = bodies.reduce((sum, { size }) => sum + size, 0);
  const library = createBrowserLibrary({ grammars: {}, words: '', readers: [], yieldToPage: async () => undefined });
  await library.ingest({ name: 'first', files: files.slice(0, 5) }, () => undefined);
  const before = await used();
  await library.ingest({ name: 'folder', files }, () => undefined);
  expect(((await used()) - before) / bytes).toBeLessThan(2);
  expect(await library.search('kettle', { limit: 3, budget: 500 })).not.toHaveLength(0);
});
