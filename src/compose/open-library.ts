// The library inside the process of another program: it changes nothing of that process, and everything it opens it closes.

import { createLibrary, type Library } from '../client/library.ts';
import { pinakesError } from '../core/model/errors.ts';
import type { Embedder } from '../embed/port.ts';
import type { Fetcher } from '../fetch/port.ts';
import { configFromProgram } from '../platform/config/load-config.ts';
import { createConfigRedactor } from '../platform/config/print-config.ts';
import type { ConfigValues } from '../platform/config/schema.ts';
import { createLog, type LogLevel } from '../platform/log.ts';
import { useNativeHash } from '../platform/native-hash.ts';
import { PROGRAM_VERSION } from '../platform/program-version.ts';
import { shareEmbedder } from './embedding.ts';
import { createInProcessTransport } from './in-process-transport.ts';
import type { AppContext } from './app-context.ts';
import { openStore, usesSqlite } from './store.ts';

/**
 * One line of the log.
 *
 * @example
 * const log = ({ level, message }: LogEntry): void => console.error(level, message);
 */
export interface LogEntry {
  readonly time: string;
  readonly level: LogLevel;
  readonly message: string;
  readonly [field: string]: unknown;
}

export interface CommonOptions {
  /** A model that embeds, or the settings of one. Without it, search is by keywords. */
  readonly embed?: Embedder | NonNullable<ConfigValues['embed']> | undefined;
  /** Fetches pages instead of the built-in fetcher, whose address guard then does not apply. The caller closes it. */
  readonly fetcher?: Fetcher | undefined;
  /** Receives what would be logged; by default nothing is. */
  readonly log?: ((entry: LogEntry) => void) | undefined;
  /**
   * Whether this process crawls and indexes; true by default. It begins with the first change of the library, or with
   * `work()`. With false, runs wait for another process that has the same PostgreSQL database.
   */
  readonly work?: boolean | undefined;
  /** Only reads, next to a process that owns the folder. */
  readonly readOnly?: boolean | undefined;
  /** Closes the library. */
  readonly signal?: AbortSignal | undefined;
  /** Every other setting, by its name in the settings reference. */
  readonly settings?: Omit<ConfigValues, 'dataDir' | 'embed' | 'server'> | undefined;
}

/**
 * A folder with a SQLite database, or a PostgreSQL database.
 *
 * @example
 * const options: LibraryOptions = { dataDir: './library', settings: { crawl: { concurrency: 4 } } };
 */
export type LibraryOptions = CommonOptions &
  (
    | { readonly dataDir: string; readonly databaseUrl?: undefined }
    | { readonly databaseUrl: string; readonly dataDir?: string | undefined }
  );

/**
 * Opens or creates a library. No variable, file or flag of the command line is read. Raises `config.invalid`,
 * `database.owned` if another process writes to the folder, and the other `database` errors.
 *
 * @example
 * await using library = await openLibrary({ dataDir: './library' });
 * const { passages } = await library.search('connection pool');
 */
export async function openLibrary(options: LibraryOptions): Promise<Library> {
  const { signal, work = true, readOnly = false } = options;
  signal?.throwIfAborted();
  useNativeHash();
  const closing = new AbortController();
  const context = createContext(options, closing.signal);
  const { log, config } = context;
  if (usesSqlite(context) && !readOnly) {
    const { takeOverDirectory } = await import('../serve/owner/owner-library.ts');
    await takeOverDirectory(config.dataDir);
  }
  const store = await openStore(context, readOnly ? 'read' : 'write');
  const transport = createInProcessTransport(context, store, { work, readOnly });
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => {
    signal?.removeEventListener('abort', closeNow);
    closing.abort(pinakesError('library.closed', {}));
    return (closed ??= transport.close());
  };
  const closeNow = (): void => void close().catch((error: unknown) => log.error('closing failed', { error }));
  signal?.addEventListener('abort', closeNow, { once: true });
  if (signal?.aborted === true) closeNow();
  return createLibrary({ ...transport, close });
}

function createContext(options: LibraryOptions, signal: AbortSignal): AppContext {
  const { dataDir, databaseUrl, embed, fetcher, settings = {}, log: receive } = options;
  const model = embed !== undefined && 'embed' in embed ? embed : null;
  const provided: ConfigValues = {
    ...settings,
    ...(dataDir !== undefined && { dataDir }),
    ...(databaseUrl !== undefined && { database: { ...settings.database, url: databaseUrl } }),
    ...(embed !== undefined && !('embed' in embed) && { embed }),
  };
  if (dataDir === undefined && databaseUrl === undefined)
    throw pinakesError('config.invalid', { setting: 'dataDir', reason: 'is required without databaseUrl' });
  const { config, origins } = configFromProgram(provided, process.cwd());
  if (model !== null) shareEmbedder(config, model);
  const log = createLog({
    level: receive === undefined ? 'silent' : config.log.level,
    now: () => new Date(),
    redact: createConfigRedactor(config, process.env),
    write: (line) => receive?.(JSON.parse(line) as LogEntry),
  });
  return { config, origins, log, command: 'a program', version: PROGRAM_VERSION, signal, fetcher };
}
