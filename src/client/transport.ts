// Where the actions of a library run: in this process, or on a server.

import type { ActionProgress } from '../actions/action.ts';
import type { ActionInput, ActionName, ActionOutput } from '../actions/actions.ts';
import type { EventView } from '../actions/list-journal.ts';

/**
 * @example
 * await library.search('connection pool', { signal: AbortSignal.timeout(5000) });
 */
export interface CallOptions {
  /** Aborts the call: it rejects with the reason of the signal. What was already stored stays. */
  readonly signal?: AbortSignal | undefined;
  /** Called while a long action runs. Over HTTP it is never called. */
  readonly onProgress?: ((progress: ActionProgress) => void) | undefined;
  /**
   * Whether the call may name files and folders of this machine; true unless it is false. A program that passes on the
   * calls of others sets it to false. Over HTTP no call may.
   */
  readonly localFiles?: boolean | undefined;
}

/**
 * @example
 * for await (const { kind, seq } of library.events({ after: 120 })) console.log(seq, kind);
 */
export interface EventOptions {
  /** Only events after this sequence number: `seq` of the last event seen. By default those from now on. */
  readonly after?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Calls an action by its name. */
export type CallAction = <Name extends ActionName>(
  action: Name,
  input: ActionInput<Name>,
  options?: CallOptions,
) => Promise<ActionOutput<Name>>;

/** Where the actions run. An abort rejects a call at once, and what it left running ends before `close` does. */
export interface Transport {
  readonly call: CallAction;
  /** The file that an action produces. */
  file(action: 'export_source', input: ActionInput<'export_source'>, options: CallOptions): AsyncIterable<Uint8Array>;
  /** Events of one run or of all runs, without end. */
  events(run: number | null, options: EventOptions): AsyncIterable<EventView>;
  /** Begins to work on runs where a server would not. Returns whether texts are waiting for vectors. */
  startWork(): () => boolean;
  close(): Promise<void>;
}

/** The result of an action that starts a run. */
export interface StartedRun {
  readonly run: number;
  readonly source?: string;
  readonly notes?: readonly string[] | undefined;
}
