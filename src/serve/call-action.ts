// How a door calls an action, wherever that action runs.

import type { ActionProgress } from '../actions/action.ts';
import type { FileSink } from '../platform/user-files.ts';

export interface CallOptions {
  /** Told while the action takes long. */
  readonly tell?: (progress: ActionProgress) => void;
  /** Where the file goes that the action makes. */
  readonly sink?: FileSink | null;
  /** Aborted when whoever asked does not want the answer any more. */
  readonly signal?: AbortSignal;
}

/** Input is checked; an unknown name or a failure raises a PinakesError. */
export type CallAction = (action: string, input: unknown, options?: CallOptions) => Promise<unknown>;
