// Entry of the query thread: runs actions that only read, so that ranking never blocks the main thread.

import type { ActionProgress } from '../actions/action.ts';
import { createActionCalls } from './in-process-library.ts';
import { getSharedEmbedder } from './embedding.ts';
import { openStore, type AppContext } from './store.ts';
import { retryWhileUnavailable } from '../crawl/context/retry.ts';
import { readLibraryGauges } from '../library/health.ts';
import { useNativeHash } from '../platform/native-hash.ts';
import { serveThread } from '../platform/serve-thread.ts';
import type { ThreadContract } from '../platform/worker-thread.ts';

/** A call runs an action by its name, or reads the gauges of the library for monitoring. */
export interface QueryContract extends ThreadContract {
  /** What the thread takes over from its process. */
  readonly data: Pick<AppContext, 'config' | 'origins' | 'command' | 'version'>;
  readonly input:
    | {
        readonly kind: 'action';
        readonly action: string;
        readonly input: unknown;
        /** Whether the action may access the file system of this machine. */
        readonly files: boolean;
      }
    | { readonly kind: 'gauges' };
  readonly progress: ActionProgress;
}

useNativeHash();
serveThread<QueryContract>({
  async open({ config, origins, command, version }, { ending, createLog }) {
    const context = { config, origins, log: createLog(config.log.level), command, version, signal: ending };
    // The process already opened its database, so one that is unavailable now will come back.
    const store = await retryWhileUnavailable(() => openStore(context, 'read'), ending);
    const createCall = createActionCalls(context, store);
    return {
      handle: (request, call) =>
        request.kind === 'gauges'
          ? readLibraryGauges(store)
          : createCall(request.files)(request.action, request.input, call),
      async close() {
        await getSharedEmbedder(config)?.close();
        await store.close();
      },
    };
  },
});
