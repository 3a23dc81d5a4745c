// The state of the stream as components read it. However fast events come, components are told at most four times a second.

import { useSyncExternalStore } from 'react';
import type { EventView, RunView } from '../api/responses.ts';
import { keepStreaming } from './event-stream.ts';
import { NOTHING_YET, withEvents, withProgress, type LiveState, type RunLive } from './live-state.ts';
import type { Frame } from './sse-parser.ts';

const TELL_EVERY_MS = 250;

let state: LiveState = NOTHING_YET;
let shown: LiveState = NOTHING_YET;
let timer: ReturnType<typeof setTimeout> | null = null;
const listeners = new Set<() => void>();

function change(next: LiveState): void {
  state = next;
  timer ??= setTimeout(() => {
    timer = null;
    shown = state;
    for (const listener of listeners) listener();
  }, TELL_EVERY_MS);
}

/** `onNews` is told of what changes lists that were fetched: runs that begin, change state or end. */
export function startLive(onNews: (run: number | null) => void, signal: AbortSignal): void {
  keepStreaming(
    {
      after: () => state.seq,
      onOpen: () => change({ ...state, connection: 'live' }),
      onLost: () => change({ ...state, connection: 'lost' }),
      onFrames: (frames) => takeFrames(frames, onNews),
    },
    signal,
  );
}

function takeFrames(frames: readonly Frame[], onNews: (run: number | null) => void): void {
  const events: EventView[] = [];
  let next = state;
  for (const { event, data } of frames) {
    const told: unknown = JSON.parse(data);
    if (event === 'snapshot') {
      const { seq, runs } = told as { seq: number; runs: RunView[] };
      for (const view of runs) next = withProgress(next, view, Date.now());
      if (next.seq === null) next = { ...next, seq };
      onNews(null);
    } else if (event === 'progress') {
      const view = told as RunView;
      if (!next.runs.has(view.run)) onNews(view.run);
      next = withProgress(next, view, Date.now());
    } else if ('seq' in (told as object)) {
      events.push(told as EventView);
      if (event === 'done' || event === 'jobs' || event === 'problem') onNews((told as EventView).run);
    }
  }
  change(withEvents(next, events));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useLive(): LiveState {
  return useSyncExternalStore(subscribe, () => shown);
}

export function useLiveRun(run: number): RunLive | null {
  return useLive().runs.get(run) ?? null;
}
