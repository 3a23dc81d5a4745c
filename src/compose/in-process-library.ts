// The library inside this process: the actions with their dependencies, the store, and an optional worker.

import {
  leavesLibrary,
  type ActionDeps,
  type Effect,
  type RunBounds,
  type SystemAccess,
  type WebhookAccess,
} from '../actions/action.ts';
import { actionNamed } from '../actions/actions.ts';
import { anySignal } from '../core/any-signal.ts';
import type { GrammarLoader } from '../core/chunk/code/grammar-loader.ts';
import { pinakesError } from '../core/model/errors.ts';
import { guardPolicy } from '../core/ssrf/guard-policy.ts';
import { ssrfVerdict } from '../core/ssrf/ssrf-verdict.ts';
import type { LocalFiles } from '../fetch/port.ts';
import type { SearchIndex } from '../index/port.ts';
import { createAuditWriter } from '../library/audit-writer.ts';
import type { CatalogAccess } from '../library/catalog/open-catalog.ts';
import type { PullDeps, PullRequest } from '../library/pull-model.ts';
import { freeBytes } from '../platform/check-machine.ts';
import { originText, printConfig } from '../platform/config/print-config.ts';
import type { Config } from '../platform/config/schema.ts';
import { PROGRAM_VERSION } from '../platform/program-version.ts';
import { openFolderWriter } from '../platform/folder-writer.ts';
import { openFileWriter, readLines, readText } from '../platform/user-files.ts';
import type { DenseRetriever } from '../search/dense-retrieval.ts';
import type { Search } from '../search/search.ts';
import { auditCalls, LOCAL_CALLER } from '../serve/audit.ts';
import type { CallAction, CommandLibrary } from '../serve/call-action.ts';
import { parseInput } from '../serve/parse-input.ts';
import type { OwnerServer } from '../serve/owner/owner-server.ts';
import type { Store } from '../store/port.ts';
import { restrictStore } from '../store/restricted/restrict-store.ts';
import { getSharedEmbedder, pullLocalModel, readEmbedHealth } from './embedding.ts';
import { checkIndexServer, getSearchIndex } from './search-index.ts';
import { restrictIndex } from './restrict-index.ts';
import { getWordTable } from './word-table.ts';
import type { AppContext } from './app-context.ts';
import { localVolume, openStore, usesSqlite } from './store.ts';

/** `files` tells whether the action may access the file system of this machine. */
export type CreateCall = (files: boolean) => CallAction;

export function createActionCalls(
  context: AppContext,
  store: Store,
  planner: Planner = createLocalPlanner(context),
  listeningOn: () => readonly number[] = () => [],
): CreateCall {
  const index = getSearchIndex(store, context);
  const searchIn = createLazySearch(context.config, store, index);
  const deps = {
    index,
    presets: context.config.crawl.presets,
    bounds: runBounds(context.config),
    ...planner,
    webhooks: createLazyWebhooks(context.config, listeningOn),
    catalogs: createLazyCatalogs(context),
    system: createSystemAccess(context),
    settings: () => printConfig(context).map((one) => ({ ...one, origin: originText(one.origin) })),
  };
  const localAccess = {
    files: createLazyFiles(context.config),
    openWriter: openFileWriter,
    openFolder: openFolderWriter,
    readText,
    readLines,
    grammars: loadGrammars,
    openEntryBuilder: async () => (await import('./entry-builder.ts')).openEntryBuilder(context, openInProcessLibrary),
    pullModel: (request: PullRequest, onProgress: PullDeps['onProgress']) =>
      pullLocalModel(context.config, request, { onProgress, signal: context.signal }),
  };
  return (files) =>
    async (
      name,
      input,
      { onProgress = () => undefined, writer = null, signal: requestSignal, sources = null } = {},
    ) => {
      const action = actionNamed(name);
      if (action === undefined) throw pinakesError('internal', { reason: `there is no action ${name}` });
      const signal = anySignal(requestSignal, context.signal);
      const visible = restrictStore(store, sources);
      const perCall = {
        store: visible,
        search: searchIn(visible),
        ...(sources === null ? {} : { index: restrictIndex(index, visible) }),
        localAccess: files ? localAccess : null,
        writer,
        onProgress,
        signal,
      };
      return action.run(parseInput(action, input), { ...deps, ...perCall } satisfies ActionDeps);
    };
}

function runBounds({ crawl, fetch }: Config): RunBounds {
  return { concurrency: crawl.concurrency, requestTimeoutMs: fetch.timeoutMs, stopGraceMs: crawl.stopGraceMs };
}

/** Fetches for a caller without storing the page. */
export type Planner = Pick<ActionDeps, 'plan' | 'preview' | 'release'>;

/** Imported when needed: the runtime of grammars takes long to load. */
async function loadGrammars(): Promise<GrammarLoader> {
  const { createGrammarLoader } = await import('../core/chunk/code/grammar-loader.ts');
  const { createNodeGrammarFiles } = await import('../parse/node-grammar-files.ts');
  return createGrammarLoader(createNodeGrammarFiles());
}

/** Imported when needed: it is rarely used, and the fetcher and the parser take long to load. */
const loadPlan = () => import('./plan.ts');

/** Plans and previews on this thread. */
function createLocalPlanner(context: AppContext): Planner {
  return {
    plan: async (start, settings, signal) => (await loadPlan()).plan({ ...context, signal }, start, settings),
    preview: async (url, signal) => (await loadPlan()).preview({ ...context, signal }, url),
    release: async (reference, signal) => (await loadPlan()).release({ ...context, signal }, reference),
  };
}

/** Imported when needed: most commands neither search nor read local files. */
function createLazySearch(config: Config, store: Store, index: SearchIndex): (visible: Store) => Search {
  const load = async (): Promise<(visible: Store) => Search> => {
    const { createSearch } = await import('../search/search.ts');
    const dense = await createDenseRetrieval(config, store, index);
    // Fusion was fitted to scores without them, and a model's own vectors tell more.
    const words = config.search.wordVectors && dense === null ? getWordTable() : null;
    // It selects versions that the caller may see; the index and the model are queried for these versions only.
    return (visible) => createSearch(visible, index, dense, words);
  };
  let loaded: Promise<(visible: Store) => Search> | null = null;
  return (visible) => async (request, signal) => (await (loaded ??= load()))(visible)(request, signal);
}

function createLazyFiles({ files }: Config): LocalFiles {
  const load = async (): Promise<LocalFiles> => (await import('../fetch/files/local-files.ts')).createLocalFiles(files);
  return {
    stat: async (path) => (await load()).stat(path),
    open: async (start) => (await load()).open(start),
    openBundle: async (archive, name) => (await load()).openBundle(archive, name),
    openProject: async (path) => (await load()).openProject(path),
    openPackage: async (at) => (await load()).openPackage(at),
  };
}

/** Imported when needed: few commands read a catalogue. */
function createLazyCatalogs(context: AppContext): CatalogAccess {
  const loaded = async () => (await import('./catalog-access.ts')).createCatalogAccess(context);
  return {
    configured: context.config.catalog.locations,
    program: PROGRAM_VERSION,
    now: Date.now,
    open: async (location, signal) => (await loaded()).open(location, signal),
    loadTrust: async (name) => (await loaded()).loadTrust(name),
    saveTrust: async (name, version, state) => (await loaded()).saveTrust(name, version, state),
  };
}

/** Imported when needed. A connection is opened for one message and closed after it. */
function createLazyWebhooks(config: Config, listeningOn: () => readonly number[]): WebhookAccess {
  return {
    requireAdmitted(url) {
      const verdict = ssrfVerdict(url, guardPolicy(config.fetch));
      if (!verdict.admit) throw pinakesError('fetch.blocked-address', { url, rule: verdict.reason });
    },
    async send(...message) {
      const sender = (await import('./webhooks.ts')).openWebhookSender(config, listeningOn());
      try {
        return await sender.send(...message);
      } finally {
        await sender.close();
      }
    },
  };
}

function createSystemAccess(context: AppContext): SystemAccess {
  const { config } = context;
  return {
    disk() {
      const volume = localVolume(context);
      return volume && { freeBytes: freeBytes(volume.directory), minFreeBytes: volume.minFreeBytes };
    },
    embedding: () => readEmbedHealth(config),
    async index() {
      const [check] = await checkIndexServer(context);
      if (check === undefined) return { backend: 'database', state: 'ready', reason: null };
      const isReady = check.state === 'ok';
      return { backend: 'qdrant', state: isReady ? 'ready' : 'failing', reason: isReady ? null : check.detail };
    },
  };
}

async function createDenseRetrieval(config: Config, store: Store, index: SearchIndex): Promise<DenseRetriever | null> {
  const embedding = getSharedEmbedder(config);
  if (embedding === null) return null;
  const { createDenseRetriever } = await import('../search/dense-retrieval.ts');
  const models = { open: embedding.openEmbedder, openPrevious: embedding.openPrevious };
  return createDenseRetriever(store, models, Date.now, index);
}

/** Asked to exit for another owner; resolves to false if it stays. */
export type EndOwner = (now: boolean) => Promise<boolean>;

/** Serves other processes of this user over the owner socket. */
export async function openOwnerSocket(
  context: AppContext,
  createCall: CreateCall,
  end: EndOwner,
): Promise<OwnerServer> {
  const { openOwnerServer } = await import('../serve/owner/owner-server.ts');
  const { ownerFingerprint } = await import('../serve/owner/owner-protocol.ts');
  const { prepareOwnerSocket } = await import('../serve/owner/owner-socket.ts');
  const { config, version, log } = context;
  const info = { pid: process.pid, ...ownerFingerprint(config, version) };
  const onError = (error: unknown): void => log.error('a call from another process failed', { error });
  return openOwnerServer({ socket: prepareOwnerSocket(config.dataDir), info, createCall, end, onError });
}

export async function openInProcessLibrary(context: AppContext, effect: Effect): Promise<CommandLibrary> {
  const store = await openStore(context, effect);
  const own = createActionCalls(context, store);
  const audit = createAuditWriter(store, context.config.audit, context.log);
  // Reads of a command are not recorded: it may have opened the library for reading.
  const createCall: CreateCall = leavesLibrary(effect) ? own : (files) => auditCalls(own(files), LOCAL_CALLER, audit);
  const isOwner = usesSqlite(context) && !leavesLibrary(effect);
  const ownerServer = isOwner ? await openOwnerSocket(context, createCall, async () => false) : null;
  const stop = new AbortController();
  const runHere = async (): Promise<void> => {
    const { runWorker } = await import('./run-worker.ts');
    await runWorker(context, store, AbortSignal.any([stop.signal, context.signal]));
  };
  let working: Promise<void> | null = null;
  return {
    call: createCall(true),
    startWorker: () => void (working ??= runHere()),
    continuesInBackground: false,
    async close() {
      stop.abort();
      await ownerServer?.close();
      await working;
      await getSharedEmbedder(context.config)?.close();
      await store.close();
    },
  };
}
