// What the thread that reads and the one that answers say to each other: calls of actions, by numbers.

import type { ActionProgress } from '../actions/action.ts';
import type { LoadedConfig } from '../platform/config/load-config.ts';
import type { ThreadFailure } from '../platform/worker-thread.ts';

/** With this the thread begins. */
export interface ReadThreadData extends LoadedConfig {
  readonly command: string;
  readonly version: string;
}

export type ReadRequest =
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly action: string;
      readonly input: unknown;
      /** Whether the disk of this machine may be used. */
      readonly files: boolean;
    }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'stop' };

export type ReadReply =
  | { readonly kind: 'log'; readonly line: string }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: ActionProgress }
  | { readonly kind: 'answered'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: ThreadFailure }
  | { readonly kind: 'ready' }
  | { readonly kind: 'ended' };
