// The tasks of a page's main thread, from a trace of Chromium: wall time and, because a busy machine stretches it, CPU time.

import type { CDPSession } from 'playwright-core';

export interface MainThreadTask {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Since the trace began. */
  readonly atMs: number;
  /** What took longest in it. */
  readonly what: readonly string[];
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string; readonly data?: TraceData };
}

interface TraceData {
  readonly type?: string;
  readonly functionName?: string;
  readonly url?: string;
  readonly processId?: number;
  readonly frames?: readonly TraceData[];
}

/** Not `toplevel`, which also has every message of every thread: ten minutes of them are more than a session can return. */
const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline'];
/** A trace of ten minutes fits; one that does not would lose what says which process is which. */
const BUFFER_KILOBYTES = 500_000;
/** Shorter tasks are not listed. */
const MIN_MS = 20;

export interface TaskTrace {
  /** The tasks of the page that has this URL, the longest first, and the id of its process. */
  stop(url: string): Promise<{ readonly pid: number; readonly tasks: readonly MainThreadTask[] }>;
}

export async function traceTasks(session: CDPSession): Promise<TaskTrace> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { readonly value: readonly object[] }): void => {
    for (const event of value as readonly TraceEvent[]) if (isWanted(event)) events.push(event);
  };
  session.on('Tracing.dataCollected', collect);
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      recordMode: 'recordAsMuchAsPossible',
      traceBufferSizeInKb: BUFFER_KILOBYTES,
      includedCategories: CATEGORIES,
      excludedCategories: ['*'],
    },
  });
  return {
    async stop(url) {
      const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
      await session.send('Tracing.end');
      await complete;
      session.off('Tracing.dataCollected', collect);
      const pid = processOf(events, url);
      if (pid === 0) throw new Error(`the trace does not know the process of ${url}`);
      return { pid, tasks: tasksOf(events.filter((event) => event.pid === pid)) };
    },
  };
}

function isWanted({ ph, dur = 0, name }: TraceEvent): boolean {
  return name === 'thread_name' || PAGE_EVENTS.has(name) || (ph === 'X' && dur >= (MIN_MS * 1000) / 4);
}

/** They say which process has which page: at the beginning of a trace, and after a navigation. */
const PAGE_EVENTS = new Set(['TracingStartedInBrowser', 'FrameCommittedInBrowser']);

function processOf(events: readonly TraceEvent[], url: string): number {
  const frames = events
    .filter(({ name }) => PAGE_EVENTS.has(name))
    .flatMap(({ args: { data } }) => [...(data?.frames ?? []), ...(data === undefined ? [] : [data])]);
  return frames.findLast((frame) => frame.url === url)?.processId ?? 0;
}

/** A task of the event loop. */
const TASK = 'RunTask';

function tasksOf(events: readonly TraceEvent[]): readonly MainThreadTask[] {
  const main = events.find(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  const own = events.filter(({ tid, ph }) => tid === main?.tid && ph === 'X');
  const began = own.reduce((first, { ts }) => Math.min(first, ts), Number.POSITIVE_INFINITY);
  return own
    .filter(({ name, dur = 0 }) => name === TASK && dur >= MIN_MS * 1000)
    .toSorted((left, right) => (right.dur ?? 0) - (left.dur ?? 0))
    .map((task) => ({
      wallMs: toMs(task.dur),
      cpuMs: toMs(task.tdur),
      atMs: toMs(task.ts - began),
      what: longestIn(task, own),
    }));
}

function longestIn(task: TraceEvent, all: readonly TraceEvent[]): readonly string[] {
  const end = task.ts + (task.dur ?? 0);
  return all
    .filter((event) => event.name !== TASK && event.ts >= task.ts && event.ts + (event.dur ?? 0) <= end)
    .toSorted((left, right) => (right.dur ?? 0) - (left.dur ?? 0))
    .slice(0, 4)
    .map(({ name, dur, args }) =>
      [name, args.data?.type ?? args.data?.functionName, toMs(dur)].filter(Boolean).join(' '),
    );
}

function toMs(microseconds = 0): number {
  return Math.round(microseconds / 100) / 10;
}
