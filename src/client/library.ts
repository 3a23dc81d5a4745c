// The library as a program sees it, the same in this process and over HTTP: the actions with their types, and around them
// what a single call cannot give, such as runs that are followed and lists that are iterated.

/// <reference lib="esnext.disposable" preserve="true" />

import type { ActionInput, ActionName, ActionOutput } from '../actions/actions.ts';
import type { ChangeView } from '../actions/list-changes.ts';
import type { PageChunk } from '../actions/list-chunks.ts';
import type { EventView } from '../actions/list-journal.ts';
import type { PageView } from '../actions/list-pages.ts';
import { PinakesError, pinakesError } from '../core/model/errors.ts';
import { followChanges, type ChangeOptions } from './follow-changes.ts';
import { sleep } from './sleep.ts';
import { createRunHandle, FIRST_POLL_MS, MAX_POLL_MS, type RunHandle, lastSeq } from './run-handle.ts';
import type { CallAction, CallOptions, EventOptions, StartedRun, Transport } from './transport.ts';

/** The input of an action, or only the input that matters most. */
type Provided<Name extends ActionName> = string | ActionInput<Name>;

/**
 * Raises `PinakesError`, with a code of the error reference. Iterables read as they are iterated, and begin from the start
 * with each loop. After `close`, every call rejects.
 *
 * @example
 * const run = await library.add('https://docs.example.dev/');
 * await run.done();
 * const { passages } = await library.search('connection pool');
 */
export interface Library extends AsyncDisposable {
  /** Any action by its name. */
  readonly call: CallAction;

  /** Adds documentation by its URL, or local files by their path, and starts a run. */
  add(url: Provided<'add_source'>, options?: CallOptions): Promise<RunHandle>;
  recrawl(source: Provided<'recrawl_source'>, options?: CallOptions): Promise<RunHandle>;
  search(query: Provided<'search_docs'>, options?: CallOptions): Promise<ActionOutput<'search_docs'>>;
  read(target: Provided<'read_docs'>, options?: CallOptions): Promise<ActionOutput<'read_docs'>>;
  /** Searches and reads nothing but these sources, each by its name or with a version: `npm:zod@3.25.1`. */
  scope(sources: readonly string[]): ScopedLibrary;
  readonly sources: Sources;
  readonly webhooks: LibraryWebhooks;
  /** Every page of a source. */
  pages(source: Provided<'list_pages'>, options?: CallOptions): AsyncIterable<PageView>;
  /** Every chunk of a source with its text. */
  chunks(source: Provided<'list_chunks'>, options?: CallOptions): AsyncIterable<PageChunk>;

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
  import(file: Provided<'import_bundle'>, options?: CallOptions): Promise<RunHandle>;
  /** Checks the database and the search index. */
  verify(options?: CallOptions): Promise<ActionOutput<'verify_store'>>;

  /** Ends what is running and releases everything. Runs that have not ended continue when the library is opened again. */
  close(): Promise<void>;
}

/**
 * A call that names no source is about all of them; one that names a source outside the scope raises `source.unknown`.
 *
 * @example
 * const scope = library.scope(['npm:zod@3.25.1']);
 * const { passages } = await scope.search('strict objects');
 */
export type ScopedLibrary = Pick<Library, 'search' | 'read'>;

/**
 * @example
 * for (const { source, status } of await library.sources.list()) console.log(source, status);
 * await library.sources.edit({ source: 'docs', maxPages: 500 });
 */
export interface Sources {
  /** All of them, unless `limit` is given. */
  list(input?: ActionInput<'list_sources'>, options?: CallOptions): Promise<ActionOutput<'list_sources'>['sources']>;
  /** What a crawl would fetch and exclude. Stores nothing. */
  plan(url: Provided<'plan_source'>, options?: CallOptions): Promise<ActionOutput<'plan_source'>>;
  edit(input: ActionInput<'edit_source'>, options?: CallOptions): Promise<ActionOutput<'edit_source'>>;
  remove(source: Provided<'remove_source'>, options?: CallOptions): Promise<ActionOutput<'remove_source'>>;
  outline(source: Provided<'outline'>, options?: CallOptions): Promise<ActionOutput<'outline'>>;
  symbols(source: Provided<'list_symbols'>, options?: CallOptions): Promise<ActionOutput<'list_symbols'>>;
  diff(input: ActionInput<'compare_versions'>, options?: CallOptions): Promise<ActionOutput<'compare_versions'>>;
}

/**
 * Where changes are sent.
 *
 * @example
 * const { secret } = await library.webhooks.create('https://hooks.example.com/pinakes');
 */
export interface LibraryWebhooks {
  /** The result has the secret of the webhook, which is not shown again. */
  create(url: Provided<'create_webhook'>, options?: CallOptions): Promise<ActionOutput<'create_webhook'>>;
  list(options?: CallOptions): Promise<ActionOutput<'list_webhooks'>['webhooks']>;
  /** Sends a test message. */
  test(name: string, options?: CallOptions): Promise<ActionOutput<'test_webhook'>>;
  delete(name: string, options?: CallOptions): Promise<ActionOutput<'delete_webhook'>>;
}

const CALL_OPTIONS: Readonly<Record<keyof CallOptions, true>> = { signal: true, onProgress: true, localFiles: true };

/** An input among the options of a call would be ignored: a search of one source would search all. Raises `input.invalid`. */
function checkOptions(call: CallAction): CallAction {
  return async (action, input, options) => {
    const unknown = Object.keys(options ?? {}).find((name) => !Object.hasOwn(CALL_OPTIONS, name));
    if (unknown === undefined) return call(action, input, options).catch(rethrowForProgram);
    const reason = `${unknown} is not an option of a call. Pass inputs together, in one object: { query: 'pool', source: 'docs' }`;
    throw pinakesError('input.invalid', { reason });
  };
}

/** Next steps are those of a program, not commands. */
function rethrowForProgram(error: unknown): never {
  throw error instanceof PinakesError ? error.forProgram() : error;
}

export function createLibrary(transport: Transport): Library {
  const call = checkOptions(transport.call);
  /** Read before a run starts, so that its handle shows every event. */
  const lastEvent = (options: CallOptions): Promise<number> => lastSeq({ call }, options);

  async function started(run: Promise<StartedRun>, after: number): Promise<RunHandle> {
    return createRunHandle(transport, await run, after);
  }

  return {
    call,
    ...createReading(call),
    async add(url, options = {}) {
      const after = await lastEvent(options);
      return started(call('add_source', typeof url === 'string' ? { url } : url, options), after);
    },
    async recrawl(source, options = {}) {
      const after = await lastEvent(options);
      return started(call('recrawl_source', typeof source === 'string' ? { source } : source, options), after);
    },
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
        const { sources, unindexed } = await call('show_stats', {}, options);
        const isLive = sources.some(({ run }) => run !== null && run.endedAt === null && run.state !== 'paused');
        if (!isLive && unindexed === 0 && !isEmbedding()) return;
        await sleep(pollMs, options.signal);
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

function createReading(call: CallAction): Pick<Library, 'search' | 'read' | 'scope'> {
  const reading: ScopedLibrary = {
    search: (query, options) => call('search_docs', typeof query === 'string' ? { query } : query, options),
    read: (target, options) => call('read_docs', typeof target === 'string' ? { target } : target, options),
  };
  return { ...reading, scope: (sources) => createScope(reading, sources) };
}

function createScope({ search, read }: ScopedLibrary, sources: readonly string[]): ScopedLibrary {
  const within = (source: string | readonly string[] | undefined): string[] => {
    const named = source === undefined ? sources : [source].flat();
    const outside = named.find((one) => !sources.includes(one));
    if (outside === undefined && named.length > 0) return [...named];
    throw pinakesError('source.unknown', { source: outside ?? 'none' });
  };
  return {
    search: async (query, options) => {
      const input = typeof query === 'string' ? { query } : query;
      return search({ ...input, source: within(input.source) }, options);
    },
    read: async (target, options) => {
      const input = typeof target === 'string' ? { target } : target;
      return read({ ...input, source: within(input.source) }, options);
    },
  };
}

function createSources(call: CallAction): Sources {
  return {
    async list(input = {}, options) {
      const { sources, nextCursor } = await call('list_sources', input, options);
      if (nextCursor === null || input.limit !== undefined) return sources;
      return [...sources, ...(await this.list({ ...input, cursor: nextCursor }, options))];
    },
    plan: (url, options) => call('plan_source', typeof url === 'string' ? { url } : url, options),
    edit: (input, options) => call('edit_source', input, options),
    remove: (source, options) => call('remove_source', typeof source === 'string' ? { source } : source, options),
    outline: (source, options) => call('outline', typeof source === 'string' ? { source } : source, options),
    symbols: (source, options) => call('list_symbols', typeof source === 'string' ? { source } : source, options),
    diff: (input, options) => call('compare_versions', input, options),
  };
}

function createLibraryWebhooks(call: CallAction): LibraryWebhooks {
  return {
    create: (url, options) => call('create_webhook', typeof url === 'string' ? { url } : url, options),
    list: async (options) => (await call('list_webhooks', {}, options)).webhooks,
    test: (name, options) => call('test_webhook', { name }, options),
    delete: (name, options) => call('delete_webhook', { name }, options),
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
