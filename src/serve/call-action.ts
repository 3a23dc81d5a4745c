// How a door calls an action, wherever that action runs.

import type { ActionProgress } from '../actions/action.ts';

/** Input is checked; an unknown name or a failure raises a PinakesError. */
export type CallAction = (
  action: string,
  input: unknown,
  tell?: (progress: ActionProgress) => void,
) => Promise<unknown>;
