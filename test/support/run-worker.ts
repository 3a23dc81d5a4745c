// Adds local files to a real store and runs a worker until the run has ended, like the command line.

import type { ActionDeps } from '../../src/actions/action.ts';
import { createSegmentIndex } from '../../src/index/segments/segment-index.ts';
import { addSource } from '../../src/actions/add-source.ts';
import { importBundle } from '../../src/actions/import-bundle.ts';
import { createGrammarLoader } from '../../src/core/chunk/code/grammar-loader.ts';
import { createNodeGrammarFiles } from '../../src/parse/node-grammar-files.ts';
import { createHttpFetcher } from '../../src/fetch/http/http-fetcher.ts';
import type { LocalFilesOptions } from '../../src/fetch/files/local-files.ts';
import type { RunId } from '../../src/core/model/run.ts';
import { createWorker } from '../../src/crawl/worker.ts';
import { loadConfig } from '../../src/platform/config/load-config.ts';
import { openFolderWriter } from '../../src/platform/folder-writer.ts';
import { createLog } from '../../src/platform/log.ts';
import { createSecretFor } from '../../src/platform/secrets.ts';
import { readLines, readText, openFileWriter } from '../../src/platform/user-files.ts';
import { createSearch } from '../../src/search/search.ts';
import type { Store } from '../../src/store/port.ts';
import type { Run } from '../../src/store/port/runs.ts';
import { localFiles } from './local-folder.ts';
import { sharedParser } from './shared-parser.ts';

const { config } = loadConfig({ env: { HOME: '/nowhere' }, cwd: '/', readFile: () => null });

/** A database on a server, without a model. */
export const NO_SYSTEM: ActionDeps['system'] = {
  disk: () => null,
  embedding: async () => ({ state: 'off', reason: null }),
  index: async () => ({ backend: 'database', state: 'ready', reason: null }),
};

export const NO_CATALOGS: ActionDeps['catalogs'] = {
  configured: [],
  program: '0.0.0',
  now: Date.now,
  open: () => Promise.reject(new Error('no catalogue is opened here')),
  loadTrust: async () => ({ version: 0, state: null }),
  saveTrust: async () => true,
};

export function actionDeps(store: Store, options: Partial<LocalFilesOptions> = {}): ActionDeps {
  const index = createSegmentIndex(store.segments);
  return {
    store,
    index,
    search: createSearch(store, index),
    preview: () => Promise.reject(new Error('no page is previewed here')),
    plan: () => Promise.reject(new Error('nothing is planned here')),
    release: () => Promise.reject(new Error('no package is looked up here')),
    settings: () => [],
    presets: {},
    bounds: { concurrency: 16, requestTimeoutMs: 60_000, stopGraceMs: 5000 },
    system: NO_SYSTEM,
    catalogs: NO_CATALOGS,
    webhooks: { requireAdmitted: () => undefined, send: () => Promise.reject(new Error('not sent')) },
    localAccess: {
      files: localFiles(options),
      openWriter: openFileWriter,
      openFolder: openFolderWriter,
      readText,
      readLines,
      grammars: () => Promise.resolve(createGrammarLoader(createNodeGrammarFiles())),
      openEntryBuilder: () => Promise.reject(new Error('no entry is built here')),
      pullModel: () => Promise.reject(new Error('no model is pulled here')),
    },
    writer: null,
    onProgress: () => undefined,
    signal: new AbortController().signal,
  };
}

export async function addPath(
  store: Store,
  path: string,
  options: Partial<LocalFilesOptions> & { readonly name?: string } = {},
): Promise<Run> {
  const input = addSource.input.parse({ url: path, ...(options.name === undefined ? {} : { name: options.name }) });
  const { run } = await addSource.run(input, actionDeps(store, options));
  return runToEnd(store, run as RunId, options);
}

export async function importFile(store: Store, file: string, name: string): Promise<Run> {
  const { run } = await importBundle.run({ file, name }, actionDeps(store));
  return runToEnd(store, run as RunId);
}

export async function runToEnd(store: Store, run: RunId, options: Partial<LocalFilesOptions> = {}): Promise<Run> {
  const stop = new AbortController();
  const parser = sharedParser();
  const fetcher = createHttpFetcher(config.fetch);
  const log = createLog({ level: 'error', now: () => new Date() });
  const limits = { ...config.crawl, maxRedirects: 0 };
  const secretFor = createSecretFor([], {});
  const stages = { store, fetcher, parser, log, local: localFiles(options), secretFor };
  const worker = createWorker({
    id: 'worker-local',
    ports: stages,
    index: createSegmentIndex(store.segments),
    limits,
    now: Date.now,
    random: Math.random,
  });
  const working = worker.run(stop.signal);
  try {
    for (;;) {
      const state = await store.runs.byId(run);
      if (state === null) throw new Error(`run ${run} is gone`);
      if (state.endedAt !== null && (await store.segments.queueLength()) === 0) return state;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    stop.abort();
    await working;
    await Promise.all([parser.close(), fetcher.close()]);
  }
}
