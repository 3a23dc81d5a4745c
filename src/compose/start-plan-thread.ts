// Plans and previews on a thread that is started when it is needed and ends when it has been idle for a while.

import type { SourcePlan } from '../library/plan-source.ts';
import type { PagePreview } from '../library/preview-page.ts';
import { startThread, threadEntryUrl, type Thread } from '../platform/worker-thread.ts';
import type { Planner } from './in-process-library.ts';
import type { PlanContract, PlanTask } from './plan-thread.ts';
import type { AppContext } from './app-context.ts';

/** Then the thread is terminated: it holds nothing that could be lost. */
const MAX_STOP_MS = 2000;
const IDLE_MS = 60_000;
/** A plan that needs more fails; the next one gets a new thread. */
const MAX_HEAP_MB = 512;

/** `listeningOn` returns the ports of this process, which a page never reaches. */
export function createThreadPlanner(
  { config, command, log }: AppContext,
  listeningOn: () => readonly number[],
): Planner & { close(): Promise<void> } {
  let thread: Thread<PlanContract> | null = null;
  let idleTimer: NodeJS.Timeout | undefined;

  function open(): Thread<PlanContract> {
    const opened = startThread<PlanContract>({
      name: 'plan',
      entry: threadEntryUrl('plan-thread', import.meta.url),
      data: { config, command },
      env: 'inherit',
      maxHeapMb: MAX_HEAP_MB,
      endMs: MAX_STOP_MS,
      unrefWhenIdle: true,
      log,
    });
    opened.ended.catch(() => undefined);
    opened.onIdle(() => (idleTimer = setTimeout(() => void opened.end(), IDLE_MS).unref()));
    return opened;
  }

  function call<T extends PlanContract['result']>(task: PlanTask, signal: AbortSignal): Promise<T> {
    clearTimeout(idleTimer);
    if (thread === null || !thread.isAlive()) thread = open();
    return thread.call({ task, listeningOn: listeningOn() }, { signal }) as Promise<T>;
  }

  return {
    plan: (startUrl, settings, signal) => call<SourcePlan>({ kind: 'plan', startUrl, settings }, signal),
    preview: (url, signal) => call<PagePreview>({ kind: 'preview', url }, signal),
    release: (reference, signal) => call<{ readonly version: string }>({ kind: 'release', reference }, signal),
    async close() {
      clearTimeout(idleTimer);
      await thread?.end();
    },
  };
}
