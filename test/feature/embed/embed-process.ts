// node test/feature/embed/embed-process.ts DATA_DIR MODELS: embeds pending texts with the local model until it is killed.

import { createOnnxEmbedder } from '../../../src/embed/onnx-embedder.ts';
import { loadModel } from '../../../src/embed/model-store.ts';
import { embedChunks } from '../../../src/crawl/loop/embed-loop.ts';
import { createLog } from '../../../src/platform/log.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';

const [, , directory = '', models = ''] = process.argv;
const owner = { pid: process.pid, command: 'embed-process', since: new Date().toISOString() };
const store = openSqliteStore({ startDelayMs: 0, maxAttempts: 8, directory, owner, minFreeBytes: 0 });
const embedder = createOnnxEmbedder({ ...(await loadModel(models, 'minilm')), threads: 1 });
const log = createLog({ level: 'silent', now: () => new Date() });
const id = `process-${process.pid}`;
process.stdout.write('ready\n');
await embedChunks(
  { id, store, embedder, log, leaseMs: 500, now: Date.now, random: Math.random },
  new AbortController().signal,
);
