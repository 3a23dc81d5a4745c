// What the command line needs from the program around it. Opening is late: help and mistakes cost no database.

import type { ActionProgress } from '../../actions/action.ts';
import type { RunView } from '../../actions/run-view.ts';
import type { LoadedConfig } from '../../platform/config/load-config.ts';

export interface OpenLibrary {
  /** Runs an action with checked input, telling how far it is where it takes long. */
  call(action: string, input: unknown, tell?: (progress: ActionProgress) => void): Promise<unknown>;
  /** Works until the run has ended, telling its state as it goes. */
  follow(run: number, tell: (view: RunView) => void): Promise<RunView>;
  close(): Promise<void>;
}

export interface CliHost {
  readonly version: string;
  /** Raises `config.invalid` or `config.unknown`. */
  config(): Promise<LoadedConfig>;
  /** `read` never takes the data directory for itself. */
  open(effect: 'read' | 'write' | 'admin'): Promise<OpenLibrary>;
  /** Works on every run until the process is asked to stop. */
  work(): Promise<void>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly isTerminal: boolean;
}
