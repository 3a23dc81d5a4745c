// Progress on stderr: of a run that the user waits for, and of a long action. A terminal gets lines that are rewritten, other
// outputs one JSON object per change.

import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import type { ActionProgress } from '../../actions/action.ts';
import type { crawlStatus } from '../../actions/crawl-status.ts';
import type { ProblemView } from '../../actions/list-problems.ts';
import type { RunView } from '../../actions/support/run-view.ts';
import type { CliRuntime, OpenLibrary } from './cli-runtime.ts';
import { createRateEstimator, renderProgress } from './render/render-progress.ts';

export type StatusResult = z.output<typeof crawlStatus.output>;

export interface FollowedRun extends RunView {
  readonly problems: readonly ProblemView[];
  /** Whether it continues when this process exits. */
  readonly continuesInBackground: boolean;
}

const POLL_EVERY_MS = 100;

/** Returns when the run has ended and its pages are searchable, or earlier when the user interrupts. */
export async function followRun(library: OpenLibrary, run: number, runtime: CliRuntime): Promise<FollowedRun> {
  const show = createProgressDisplay(runtime);
  const rateOf = createRateEstimator();
  library.startWorker();
  for (;;) {
    const status = (await library.call('crawl_status', { run: String(run), brief: true })) as StatusResult;
    const [view] = status.runs;
    if (view === undefined) throw new Error(`run ${run} has no state`);
    const rate = rateOf(performance.now(), view.counts);
    show(renderProgress(view, status.hosts, rate), { progress: view.counts, run, ...rate });
    // Other sources may be crawled and indexed at the same time.
    const isDone = view.endedAt !== null && status.isSearchable;
    if (isDone || runtime.stopping().aborted) {
      if (runtime.isTerminal) show([], {});
      return { ...view, problems: status.problems, continuesInBackground: library.continuesInBackground };
    }
    await sleep(POLL_EVERY_MS, undefined, { signal: runtime.stopping() }).catch(() => undefined);
  }
}

type ShowProgress = (lines: readonly string[], json: Readonly<Record<string, unknown>>) => void;

/** On a terminal the lines replace the previous ones; an empty list clears them. */
function createProgressDisplay(runtime: CliRuntime): ShowProgress {
  let shown = '';
  return (lines, json) => {
    if (runtime.isTerminal) return runtime.showStatus(lines);
    const text = `${JSON.stringify(json)}\n`;
    if (text !== shown) runtime.err(text);
    shown = text;
  };
}

/** Progress of an action, shown at every percent on a terminal and at every ten percent elsewhere. */
export function createProgressReporter(runtime: CliRuntime): (progress: ActionProgress) => void {
  const show = createProgressDisplay(runtime);
  const steps = runtime.isTerminal ? 100 : 10;
  let last = '';
  return ({ step, done, total }) => {
    const isEnd = done >= total;
    const position = `${step} ${Math.floor((done * steps) / Math.max(1, total))}`;
    if (position === last) return;
    last = position;
    show([`${step}: ${done} of ${total}`], { progress: { step, done, total } });
    if (runtime.isTerminal && isEnd) show([], {});
  };
}
