// How an interface calls an action, in whichever process it runs, and the library that answers.

import type { ActionProgress } from '../actions/action.ts';
import type { SourceRights } from '../core/model/source-rights.ts';
import type { FileWriter } from '../platform/user-files.ts';

export interface ActionCallOptions {
  /** Called while a long action runs. */
  readonly onProgress?: (progress: ActionProgress) => void;
  /** Receives the file that the action produces. */
  readonly writer?: FileWriter | null;
  /** Aborted when the caller no longer needs the result. */
  readonly signal?: AbortSignal;
  /** The sources that the caller may use: for the action, no other source exists. All sources by default. */
  readonly sources?: SourceRights;
}

/** The input is validated; an unknown action or a failure raises a PinakesError. */
export type CallAction = (action: string, input: unknown, options?: ActionCallOptions) => Promise<unknown>;

export interface CommandLibrary {
  readonly call: CallAction;
  /** Starts a worker in this process, unless another process crawls. */
  readonly startWorker: () => void;
  /** Whether runs continue when this process exits. */
  readonly continuesInBackground: boolean;
  close(): Promise<void>;
}
