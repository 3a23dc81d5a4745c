// Entry of the query thread: runs actions that only read, so that ranking never blocks the main thread.

import type { ActionProgress } from '../actions/action.ts';
import { createActionCalls, type CreateCall } from './in-process-library.ts';
import { getSharedEmbedder } from './embedding.ts';
import { getSearchIndex } from './search-index.ts';
import type { AppContext } from './app-context.ts';
import { localVolume, openStore } from './store.ts';
import { retryWhileUnavailable } from '../crawl/context/retry.ts';
import { readLibraryState } from '../library/library-state.ts';
import type { SourceRights } from '../core/model/source-rights.ts';
import { limitPerTick } from '../platform/limit-per-tick.ts';
import { useNativeHash } from '../platform/native-hash.ts';
import { serveThread } from '../platform/serve-thread.ts';
import type { ThreadContract } from '../platform/worker-thread.ts';
import type { Store } from '../store/port.ts';

/** A call runs an action by its name, or reads the state of the library for monitoring. */
export interface QueryContract extends ThreadContract {
  /** What the thread takes over from its process, and its share of the connections to PostgreSQL. */
  readonly data: Pick<AppContext, 'config' | 'origins' | 'command' | 'version'> & { readonly connections: number };
  readonly input:
    | {
        readonly kind: 'action';
        readonly action: string;
        readonly input: unknown;
        /** Whether the action may access the file system of this machine. */
        readonly files: boolean;
        readonly sources: SourceRights;
      }
    | { readonly kind: 'library-state' };
  readonly progress: ActionProgress;
}

useNativeHash();
serveThread<QueryContract>({
  open({ config, origins, command, version, connections }, { ending, createLog }) {
    const context = { config, origins, log: createLog(config.log.level), command, version, signal: ending };
    let opening: Promise<{ readonly store: Store; readonly createCall: CreateCall }> | null = null;
    /** With the first query, so that a process which answers none has no connection for them. */
    const open = async (): Promise<{ readonly store: Store; readonly createCall: CreateCall }> => {
      // The process already opened its database, so one that is unavailable now will come back.
      const store = await retryWhileUnavailable(() => openStore(context, 'read', { connections }), ending);
      return { store, createCall: createActionCalls(context, store) };
    };
    // One per tick: a call whose caller is gone is cancelled before its turn, however many are ahead of it.
    const calls = limitPerTick<() => void>(1, (begin) => begin());
    return {
      async handle(request, call) {
        opening ??= open();
        // A later query tries again.
        opening.catch(() => (opening = null));
        const { store, createCall } = await opening;
        await new Promise<void>((begin) => calls.add(begin));
        call.signal.throwIfAborted();
        return request.kind === 'library-state'
          ? readLibraryState(store, getSearchIndex(store, context), localVolume(context))
          : createCall(request.files)(request.action, request.input, { ...call, sources: request.sources });
      },
      async close() {
        await getSharedEmbedder(config)?.close();
        const opened = await opening?.catch(() => null);
        await opened?.store.close();
      },
    };
  },
});
