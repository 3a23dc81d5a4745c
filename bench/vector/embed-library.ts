// node bench/vector/embed-library.ts DATA_DIR VECTORS: embeds every text of a library with the model of the tests, and saves the
// vectors in the file VECTORS, so that the next library with the same texts need not embed them.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fingerprintOf } from '../../src/core/vector/space.ts';
import { createOnnxEmbedder } from '../../src/embed/onnx-embedder.ts';
import { embedChunks } from '../../src/crawl/loop/embed-loop.ts';
import { createLog } from '../../src/platform/log.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { minilmFolder } from '../../test/support/minilm-folder.ts';
import { withVectorCache } from '../support/vector-cache.ts';

const [, , directory, file] = process.argv;
if (directory === undefined || file === undefined)
  throw new Error('usage: node bench/vector/embed-library.ts DATA_DIR VECTORS');

const models = mkdtempSync(join(tmpdir(), 'pinakes-models-'));
const embedder = withVectorCache(createOnnxEmbedder({ ...(await minilmFolder(models)), threads: 1 }), file);
const owner = { pid: process.pid, command: 'embed-library', since: new Date().toISOString() };
const store = openSqliteStore({ startDelayMs: 0, maxAttempts: 8, directory, owner, minFreeBytes: 0 });
const log = createLog({ level: 'warn', now: () => new Date() });
const stop = new AbortController();
const space = await store.vectors.openSpace(fingerprintOf(embedder.space), embedder.space.dimensions, {
  ...embedder.space,
});
const deps = { id: 'bench', store, embedder, log, leaseMs: 600_000, now: Date.now, random: Math.random };
const working = embedChunks(deps, stop.signal);
for (;;) {
  const { pending, embedded, failed } = await store.vectors.progress(space.id);
  process.stdout.write(`${new Date().toISOString()} pending ${pending}, embedded ${embedded}, failed ${failed}\n`);
  if (pending === 0) break;
  await wait(10_000);
}
stop.abort();
await working;
await embedder.close();
await store.close();
rmSync(models, { recursive: true });
