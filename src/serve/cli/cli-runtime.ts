// What the command line needs from the program around it. Opening is late: help and mistakes cost no database.

import type { LoadedConfig } from '../../platform/config/load-config.ts';
import type { Finding } from '../../platform/check-machine.ts';
import type { CallAction } from '../call-action.ts';
import type { ServerCommand } from './setup/setup-client.ts';

export interface OpenLibrary {
  readonly call: CallAction;
  /** Begins to work on runs in this process, where no other process does it. */
  readonly work: () => void;
  /** Whether runs go on when this process ends. */
  readonly goesOn: boolean;
  close(): Promise<void>;
}

export interface CliHost {
  readonly version: string;
  /** Settings that flags name, by their variables; told before anything is opened. */
  given(settings: Readonly<Record<string, string>>): void;
  /** Raises `config.invalid` or `config.unknown`. */
  config(): Promise<LoadedConfig>;
  /** `read` never takes the data directory for itself. */
  open(effect: 'read' | 'write' | 'admin'): Promise<OpenLibrary>;
  /** Works on every run until the process is asked to stop, or until nothing is left to do. */
  work(until: 'stopped' | 'idle'): Promise<void>;
  /** Works on every run and answers over HTTP and MCP, until the process is asked to stop. */
  serve(tell: (url: string) => void): Promise<void>;
  /** What this machine has of what is needed. */
  examine(): Promise<readonly Finding[]>;
  /** Puts a backup in the place of the library; tells where the old one went. */
  restore(file: string): Promise<{ readonly before: string | null }>;
  /** How an assistant starts this program. */
  mcpCommand(): Promise<ServerCommand>;
  /** MCP on stdin and stdout, until the client closes. */
  mcp(): Promise<void>;
  /** Aborted when the user asks this process to stop. */
  readonly stopping: () => AbortSignal;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether stderr is a terminal. */
  readonly isTerminal: boolean;
  /** Whether stdout takes colours. */
  readonly colours: boolean;
}
