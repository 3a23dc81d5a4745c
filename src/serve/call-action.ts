// How a door calls an action, wherever that action runs.

import type { ActionProgress } from '../actions/action.ts';

export interface CallOptions {
  /** Told while the action takes long. */
  readonly tell?: (progress: ActionProgress) => void;
  /** Aborted when whoever asked does not want the answer any more. */
  readonly signal?: AbortSignal;
}

/** Input is checked; an unknown name or a failure raises a PinakesError. */
export type CallAction = (action: string, input: unknown, options?: CallOptions) => Promise<unknown>;
