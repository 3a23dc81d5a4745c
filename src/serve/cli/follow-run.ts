// Waits for a run and shows how it goes.

import { setTimeout as wait } from 'node:timers/promises';
import type { z } from 'zod';
import type { crawlStatus } from '../../actions/crawl-status.ts';
import type { ProblemView } from '../../actions/list-problems.ts';
import type { RunView } from '../../actions/support/run-view.ts';
import type { CliHost, OpenLibrary } from './cli-runtime.ts';
import { progressLines } from './progress-lines.ts';
import { createRate } from './render/progress-rate.ts';
import { renderProgress } from './render/render-progress.ts';

export type StatusAnswer = z.output<typeof crawlStatus.output>;

export interface FollowedRun extends RunView {
  readonly problems: readonly ProblemView[];
  /** Whether it goes on when nobody waits for it. */
  readonly goesOn: boolean;
}

const LOOK_EVERY_MS = 100;

/** Ends with the run, when its pages can be searched; or earlier, when the user does not want to wait any longer. */
export async function followRun(library: OpenLibrary, run: number, host: CliHost): Promise<FollowedRun> {
  const show = progressLines(host);
  const rateOf = createRate();
  library.work();
  for (;;) {
    const status = (await library.call('crawl_status', { run: String(run), brief: true })) as StatusAnswer;
    const [view] = status.runs;
    if (view === undefined) throw new Error(`run ${run} has no state`);
    const rate = rateOf(performance.now(), view.counts);
    show(renderProgress(view, status.hosts, rate), { progress: view.counts, run, ...rate });
    const isSearchable = view.endedAt !== null && status.unindexed === 0;
    if (isSearchable || host.stopping().aborted) {
      if (host.isTerminal) show([], {});
      return { ...view, problems: status.problems, goesOn: library.goesOn };
    }
    await wait(LOOK_EVERY_MS, undefined, { signal: host.stopping() }).catch(() => undefined);
  }
}
