// The interface of the application for the command line. The library is opened late: help and usage errors need no database.

import type { Effect } from '../../actions/action.ts';
import type { PinakesError } from '../../core/model/errors.ts';
import type { FlagValues, LoadedConfig } from '../../platform/config/load-config.ts';
import type { CheckResult } from '../../platform/check-machine.ts';
import type { Sink } from '../../sink/sink.ts';
import type { CommandLibrary } from '../call-action.ts';
import type { ServerCommand } from './setup/setup-client.ts';

/** One line per URL, in the order of the list. */
export type LoadLine =
  | { readonly kind: 'loaded'; readonly url: string; readonly page: object }
  | { readonly kind: 'failed'; readonly url: string; readonly error: PinakesError };

export interface LoadFlags {
  readonly endpointUrl?: string;
  readonly timeoutSeconds?: number;
  readonly failOnError?: boolean;
  readonly maxConcurrentRequests?: number;
  readonly maxRetries?: number;
}

/** Where `pinakes sink` copies the library to. */
export type SinkTarget =
  | { readonly kind: 'qdrant'; readonly url: string; readonly collection: string; readonly vectors: boolean }
  | { readonly kind: 'jsonl'; readonly file: string; readonly records: 'pages' | 'chunks' }
  | { readonly kind: 'folder'; readonly folder: string };

export interface RestoreOutcome {
  readonly previous: string | null;
  readonly droppedTokens: readonly string[];
  readonly disabledWebhooks: readonly string[];
}

export interface CliRuntime {
  readonly version: string;
  /** Called before anything is opened. */
  applyFlags(settings: FlagValues): void;
  /** Raises `config.untrusted-folder`, `config.invalid` or `config.unknown`. */
  config(): Promise<LoadedConfig>;
  /** What leaves the library as it is never takes ownership of the data directory. */
  open(effect: Effect): Promise<CommandLibrary>;
  openSink(target: SinkTarget): Promise<Sink>;
  /** Works on every run until the process is stopped, or until it is idle. */
  runWorker(until: 'stopped' | 'idle'): Promise<void>;
  /** Works on every run and serves HTTP and MCP until the process is stopped. */
  serve(onListening: (url: string) => void): Promise<void>;
  /** Loads pages without a library; results come in the order of the list. */
  load(urls: Iterable<string> | AsyncIterable<string>, options: LoadFlags): AsyncIterable<LoadLine>;
  /** Checks this machine for missing requirements. */
  doctor(): Promise<readonly CheckResult[]>;
  /** Restores the library from a backup; returns the path of the previous library. */
  restore(file: string): Promise<RestoreOutcome>;
  /** The command by which an assistant starts this program. */
  mcpCommand(): Promise<ServerCommand>;
  /** Serves MCP on stdin and stdout until the client disconnects; limited to the packages of a project, if one is named. */
  mcp(project: string | null): Promise<void>;
  /** Aborted when the user stops this process. */
  readonly stopping: () => AbortSignal;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Replaces the status lines at the end of a terminal; none clears them. */
  readonly showStatus: (lines: readonly string[]) => void;
  /** Asks the user a question and returns the answer; null without a terminal. */
  readonly prompt: ((question: string) => Promise<string>) | null;
  /** Whether an unexpected error is printed with its stack. */
  readonly isDebugging: () => boolean;
  /** Whether stderr is a terminal. */
  readonly isTerminal: boolean;
  /** Columns of stdout; null if it is not a terminal. */
  readonly width: number | null;
  /** Whether stdout supports colors. */
  readonly colors: boolean;
}

/** Closes the library whatever happens. */
export async function withLibrary<T>(
  runtime: CliRuntime,
  effect: Effect,
  use: (library: CommandLibrary) => Promise<T>,
): Promise<T> {
  const library = await runtime.open(effect);
  try {
    return await use(library);
  } finally {
    await library.close();
  }
}
