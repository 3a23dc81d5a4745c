// Progress on stderr: of a run that the user waits for, and of a long action. A terminal gets lines that are rewritten; other
// outputs get a line every ten seconds, or JSON if the user asked for it.

import type { z } from 'zod';
import type { ActionProgress } from '../../actions/action.ts';
import type { showAnalysis } from '../../actions/analysis-runs.ts';
import type { crawlStatus } from '../../actions/crawl-status.ts';
import type { listHosts } from '../../actions/list-hosts.ts';
import type { ProblemView } from '../../actions/list-journal.ts';
import type { RunView } from '../../actions/support/run-view.ts';
import { monotonicMs, sleepOrAbort } from '../../platform/clock.ts';
import type { CliRuntime } from './cli-runtime.ts';
import type { CommandLibrary } from '../call-action.ts';
import { createRateEstimator, progressLine, renderProgress } from './render/render-progress.ts';

export type StatusResult = z.output<typeof crawlStatus.output>;

export interface FollowedRun extends RunView {
  readonly problems: readonly ProblemView[];
  /** Whether it continues when this process exits. */
  readonly continuesInBackground: boolean;
}

const POLL_EVERY_MS = 100;

/** Returns when the run has ended and its pages are searchable, or earlier when the user interrupts. */
export async function followRun(
  library: CommandLibrary,
  run: number,
  runtime: CliRuntime,
  format: ProgressFormat,
): Promise<FollowedRun> {
  const display = createProgressDisplay(runtime, format);
  const rateOf = createRateEstimator();
  library.startWorker();
  for (;;) {
    const status = (await library.call('crawl_status', { run: String(run), brief: true })) as StatusResult;
    const [view] = status.runs;
    if (view === undefined) throw new Error(`run ${run} has no state`);
    const rate = rateOf(monotonicMs(), view.counts);
    const hosts = runtime.isTerminal ? await loadHosts(library, run) : [];
    const progress: ShownProgress = {
      lines: () => renderProgress(view, hosts, rate),
      line: () => progressLine(view, rate),
      json: { progress: view.counts, run, ...rate },
    };
    // Other sources may be crawled and indexed at the same time.
    const isDone = view.endedAt !== null && status.isSearchable;
    if (isDone || runtime.stopping().aborted) {
      display.end(progress);
      return { ...view, problems: status.problems, continuesInBackground: library.continuesInBackground };
    }
    display.update(progress);
    await sleepOrAbort(POLL_EVERY_MS, runtime.stopping());
  }
}

async function loadHosts(library: CommandLibrary, run: number): Promise<HostsResult['hosts']> {
  return ((await library.call('list_hosts', { run: String(run) })) as HostsResult).hosts;
}

type HostsResult = z.output<typeof listHosts.output>;
type AnalysisResult = z.output<typeof showAnalysis.output>;

/** Returns when the analysis run has ended, or earlier when the user interrupts. */
export async function followAnalysis(
  library: CommandLibrary,
  id: string,
  runtime: CliRuntime,
  format: ProgressFormat,
): Promise<AnalysisResult> {
  const display = createProgressDisplay(runtime, format);
  library.startWorker();
  for (;;) {
    const answer = (await library.call('show_analysis', { id, eventsLimit: 20 })) as AnalysisResult;
    const { stage, endedAt, lastProgress } = answer.run;
    const line =
      lastProgress === null
        ? stage
        : `${stage}: ${Number(lastProgress['processed'])} of ${Number(lastProgress['total'])} pages`;
    const progress = { lines: () => [line], line: () => line, json: { progress: lastProgress, run: id, stage } };
    if (endedAt !== null || runtime.stopping().aborted) {
      display.end(progress);
      return answer;
    }
    display.update(progress);
    await sleepOrAbort(POLL_EVERY_MS, runtime.stopping());
  }
}

/** `json` if the user asked for JSON. */
export type ProgressFormat = 'text' | 'json';

interface ShownProgress {
  /** For a terminal, where they replace the previous ones. */
  readonly lines: () => readonly string[];
  /** For other outputs, where it stays. */
  readonly line: () => string;
  readonly json: Readonly<Record<string, unknown>>;
}

interface ProgressDisplay {
  update(progress: ShownProgress): void;
  /** Clears a terminal; elsewhere the last state is written. */
  end(progress: ShownProgress): void;
}

/** Other outputs are kept, and read by agents and in logs of CI: a line every ten seconds is enough. */
const LINE_EVERY_MS = 10_000;
const JSON_EVERY_MS = 1000;

function createProgressDisplay(runtime: CliRuntime, format: ProgressFormat): ProgressDisplay {
  if (runtime.isTerminal)
    return { update: ({ lines }) => runtime.showStatus(lines()), end: () => runtime.showStatus([]) };
  const textOf = ({ line, json }: ShownProgress): string => (format === 'json' ? JSON.stringify(json) : line());
  const isDue = createThrottle(format === 'json' ? JSON_EVERY_MS : LINE_EVERY_MS, monotonicMs());
  let last = '';
  const write = (text: string): void => {
    if (text !== last) runtime.err(`${text}\n`);
    last = text;
  };
  return {
    update: (progress) => {
      if (isDue(monotonicMs())) write(textOf(progress));
    },
    end: (progress) => write(textOf(progress)),
  };
}

/** True once in each interval after the start. */
export function createThrottle(everyMs: number, startMs: number): (atMs: number) => boolean {
  let dueMs = startMs + everyMs;
  return (atMs) => {
    if (atMs < dueMs) return false;
    dueMs = atMs + everyMs;
    return true;
  };
}

/** Progress of an action, shown at every percent on a terminal. Its result says when it has ended. */
export function createProgressReporter(
  runtime: CliRuntime,
  format: ProgressFormat,
): (progress: ActionProgress) => void {
  const display = createProgressDisplay(runtime, format);
  let last = '';
  return ({ step, done, total }) => {
    const position = `${step} ${Math.floor((done * 100) / Math.max(1, total))}`;
    if (position === last) return;
    last = position;
    const line = `${step}: ${done} of ${total}`;
    const progress: ShownProgress = {
      lines: () => [line],
      line: () => line,
      json: { progress: { step, done, total } },
    };
    display.update(progress);
    if (runtime.isTerminal && done >= total) display.end(progress);
  };
}
