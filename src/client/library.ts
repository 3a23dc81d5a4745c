// The library as a program sees it, the same in this process and over HTTP: the actions with their types, and around them
// what a single call cannot give, such as runs that are followed and lists that are iterated.

/// <reference lib="esnext.disposable" preserve="true" />

import type { ActionInput, ActionName, ActionOutput } from '../actions/actions.ts';
import type { ChangeView } from '../actions/list-changes.ts';
import type { PageChunk } from '../actions/list-chunks.ts';
import type { EventView } from '../actions/list-events.ts';
import type { PageView } from '../actions/list-pages.ts';
import { followChanges, type ChangeOptions } from './follow-changes.ts';
import { pauseFor } from './pause-for.ts';
import { createRunHandle, FIRST_POLL_MS, MAX_POLL_MS, type RunHandle } from './run-handle.ts';
import type { CallAction, CallOptions, EventOptions, StartedRun, Transport } from './transport.ts';

/** The input of an action, or only the input that matters most. */
type Given<Name extends ActionName> = string | ActionInput<Name>;

/**
 * Raises `PinakesError`, with a code of the error reference. Iterables read as they are iterated, and begin from the start
 * with each loop. After `close`, every call rejects.
 */
export interface Library extends AsyncDisposable {
  /** Any action by its name. */
  readonly call: CallAction;

  /** Adds documentation by its URL, or local files by their path, and starts a run. */
  add(url: Given<'add_source'>, options?: CallOptions): Promise<RunHandle>;
  recrawl(source: Given<'recrawl_source'>, options?: CallOptions): Promise<RunHandle>;
  search(query: Given<'search_docs'>, options?: CallOptions): Promise<ActionOutput<'search_docs'>>;
  read(target: Given<'read_docs'>, options?: CallOptions): Promise<ActionOutput<'read_docs'>>;
  readonly sources: Sources;
  readonly webhooks: LibraryWebhooks;
  /** Every page of a source. */
  pages(source: Given<'list_pages'>, options?: CallOptions): AsyncIterable<PageView>;
  /** Every chunk of a source with its text. */
  chunks(source: Given<'list_chunks'>, options?: CallOptions): AsyncIterable<PageChunk>;

  /**
   * Every page that is there, then what changes, without end; with `since`, only the changes after a position. Raises `changes.expired` if
   * they are not kept any more, or if the position is of another library.
   */
  changes(options?: ChangeOptions): AsyncIterable<ChangeView>;

  /** A run by its id. */
  run(id: number): RunHandle;
  /** Events of all runs, without end. */
  events(options?: EventOptions): AsyncIterable<EventView>;
  /** Works on runs until none is waiting or running, and every stored page can be searched. A server works by itself. */
  work(options?: CallOptions): Promise<void>;

  /** The bytes of the file: a zip archive for a bundle, pages and an agent skill, otherwise a text. */
  export(source: string | Omit<ActionInput<'export_source'>, 'out'>, options?: CallOptions): AsyncIterable<Uint8Array>;
  /** Adds the source of a bundle, by the path of its file. Not available over HTTP. */
  import(file: Given<'import_bundle'>, options?: CallOptions): Promise<RunHandle>;
  /** Checks the database and the search index. */
  verify(options?: CallOptions): Promise<ActionOutput<'verify_store'>>;

  /** Ends what is running and releases everything. Runs that have not ended continue when the library is opened again. */
  close(): Promise<void>;
}

export interface Sources {
  list(input?: ActionInput<'list_sources'>, options?: CallOptions): Promise<ActionOutput<'list_sources'>['sources']>;
  /** What a crawl would fetch and exclude. Stores nothing. */
  plan(url: Given<'plan_source'>, options?: CallOptions): Promise<ActionOutput<'plan_source'>>;
  edit(input: ActionInput<'edit_source'>, options?: CallOptions): Promise<ActionOutput<'edit_source'>>;
  remove(source: Given<'remove_source'>, options?: CallOptions): Promise<ActionOutput<'remove_source'>>;
  outline(source: Given<'outline'>, options?: CallOptions): Promise<ActionOutput<'outline'>>;
  symbols(source: Given<'symbols'>, options?: CallOptions): Promise<ActionOutput<'symbols'>>;
}

/** Where changes are sent. */
export interface LibraryWebhooks {
  /** The result has the secret of the webhook, which is not shown again. */
  add(url: Given<'add_webhook'>, options?: CallOptions): Promise<ActionOutput<'add_webhook'>>;
  list(options?: CallOptions): Promise<ActionOutput<'list_webhooks'>['webhooks']>;
  /** Sends a test message. */
  test(name: string, options?: CallOptions): Promise<ActionOutput<'test_webhook'>>;
  remove(name: string, options?: CallOptions): Promise<ActionOutput<'remove_webhook'>>;
}

export function createLibrary(transport: Transport): Library {
  const { call } = transport;

  async function started(run: Promise<StartedRun>, after: number): Promise<RunHandle> {
    return createRunHandle(transport, await run, after);
  }

  /** Read before a run starts, so that its handle shows every event. */
  async function lastEvent(options: CallOptions): Promise<number> {
    const { events } = await call('list_events', { limit: 1 }, options);
    return events[0]?.seq ?? 0;
  }

  return {
    call,
    async add(url, options = {}) {
      const after = await lastEvent(options);
      return started(call('add_source', typeof url === 'string' ? { url } : url, options), after);
    },
    async recrawl(source, options = {}) {
      const after = await lastEvent(options);
      return started(call('recrawl_source', typeof source === 'string' ? { source } : source, options), after);
    },
    search: (query, options) => call('search_docs', typeof query === 'string' ? { query } : query, options),
    read: (target, options) => call('read_docs', typeof target === 'string' ? { target } : target, options),
    sources: createSources(call),
    webhooks: createLibraryWebhooks(call),
    pages: (source, options) =>
      iterate(async (cursor) => {
        const input = typeof source === 'string' ? { source } : source;
        const { pages, nextCursor } = await call('list_pages', withCursor(input, cursor), options);
        return { items: pages, nextCursor };
      }),
    chunks: (source, options) =>
      iterate(async (cursor) => {
        const input = typeof source === 'string' ? { source } : source;
        const { chunks, nextCursor } = await call('list_chunks', withCursor(input, cursor), options);
        return { items: chunks, nextCursor };
      }),
    changes: (options = {}) => ({ [Symbol.asyncIterator]: () => followChanges(call, options) }),
    run: (id) => createRunHandle(transport, { run: id }, null),
    events: (options = {}) => transport.events(null, options),
    async work(options = {}) {
      const isEmbedding = transport.startWork();
      for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(2 * pollMs, MAX_POLL_MS)) {
        const { sources, unindexed } = await call('library_health', {}, options);
        const isLive = sources.some(({ run }) => run !== null && run.endedAt === null && run.state !== 'paused');
        if (!isLive && unindexed === 0 && !isEmbedding()) return;
        await pauseFor(pollMs, options.signal);
      }
    },
    export: (source, options = {}) =>
      transport.file('export_source', { out: FILE, ...(typeof source === 'string' ? { source } : source) }, options),
    async import(file, options = {}) {
      const after = await lastEvent(options);
      return started(call('import_bundle', typeof file === 'string' ? { file } : file, options), after);
    },
    verify: (options) => call('verify_store', {}, options),
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport.close(),
  };
}

/** The action names a file; here its bytes go to the caller. */
const FILE = 'bundle.zip';

function createSources(call: CallAction): Sources {
  return {
    list: async (input = {}, options) => (await call('list_sources', input, options)).sources,
    plan: (url, options) => call('plan_source', typeof url === 'string' ? { url } : url, options),
    edit: (input, options) => call('edit_source', input, options),
    remove: (source, options) => call('remove_source', typeof source === 'string' ? { source } : source, options),
    outline: (source, options) => call('outline', typeof source === 'string' ? { source } : source, options),
    symbols: (source, options) => call('symbols', typeof source === 'string' ? { source } : source, options),
  };
}

function createLibraryWebhooks(call: CallAction): LibraryWebhooks {
  return {
    add: (url, options) => call('add_webhook', typeof url === 'string' ? { url } : url, options),
    list: async (options) => (await call('list_webhooks', {}, options)).webhooks,
    test: (name, options) => call('test_webhook', { name }, options),
    remove: (name, options) => call('remove_webhook', { name }, options),
  };
}

function withCursor<Input extends object>(input: Input, cursor: string | null): Input {
  return cursor === null ? input : { ...input, cursor };
}

interface ResultPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** All items of a list that is read page by page. */
function iterate<Item>(readPage: (cursor: string | null) => Promise<ResultPage<Item>>): AsyncIterable<Item> {
  return {
    async *[Symbol.asyncIterator]() {
      let cursor: string | null = null;
      do {
        const { items, nextCursor }: ResultPage<Item> = await readPage(cursor);
        yield* items;
        cursor = nextCursor;
      } while (cursor !== null);
    },
  };
}
