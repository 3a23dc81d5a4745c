// The application context: what every command of this process is composed from.

import type { Fetcher } from '../fetch/port.ts';
import type { LoadedConfig } from '../platform/config/load-config.ts';
import type { Config } from '../platform/config/schema.ts';
import type { Log } from '../platform/log.ts';

export interface AppContext {
  readonly config: Config;
  /** Where each setting comes from. */
  readonly origins: LoadedConfig['origins'];
  readonly log: Log;
  readonly command: string;
  /** Version of the program. */
  readonly version: string;
  readonly signal: AbortSignal;
  /** The fetcher of a program that uses the library; our own if absent. */
  readonly fetcher?: Fetcher | undefined;
}
