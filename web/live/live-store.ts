// The live state as components read it. However fast events arrive, components are notified at most four times a second.

import { useSyncExternalStore } from 'react';
import type { EventView, RunView } from '../api/responses.ts';
import { openEventStream } from './event-stream.ts';
import { INITIAL_STATE, applyEvents, applyProgress, type LiveState, type RunLive } from './live-state.ts';
import type { SseFrame } from './sse-parser.ts';

const NOTIFY_INTERVAL_MS = 250;

let state: LiveState = INITIAL_STATE;
let published: LiveState = INITIAL_STATE;
let timer: ReturnType<typeof setTimeout> | null = null;
const listeners = new Set<() => void>();

function setState(next: LiveState): void {
  state = next;
  timer ??= setTimeout(() => {
    timer = null;
    published = state;
    for (const listener of listeners) listener();
  }, NOTIFY_INTERVAL_MS);
}

/** `onListChange` is called when a run starts, changes state or ends, so that fetched lists can be refreshed. */
export function startLiveUpdates(onListChange: (run: number | null) => void, signal: AbortSignal): void {
  openEventStream(
    {
      lastSeq: () => state.seq,
      onOpen: () => setState({ ...state, connection: 'live' }),
      onDisconnect: (isRefused) => setState({ ...state, connection: isRefused ? 'refused' : 'lost' }),
      onFrames: (frames) => applyFrames(frames, onListChange),
    },
    signal,
  );
}

/** The data of problem and milestone frames has the kind of what is reported. */
function viewOf(frame: string, view: EventView): EventView {
  return frame === 'problem' || frame === 'milestone' ? { ...view, kind: frame } : view;
}

function applyFrames(frames: readonly SseFrame[], onListChange: (run: number | null) => void): void {
  const events: EventView[] = [];
  let next = state;
  for (const { event, data } of frames) {
    const payload: unknown = JSON.parse(data);
    if (event === 'snapshot') {
      const { seq, runs } = payload as { seq: number; runs: RunView[] };
      for (const view of runs) next = applyProgress(next, view, Date.now());
      // A lower number is of another journal: the server was restored from a backup.
      if (next.seq === null || seq < next.seq) next = { ...next, seq };
      onListChange(null);
    } else if (event === 'progress') {
      const view = payload as RunView;
      if (!next.runs.has(view.run)) onListChange(view.run);
      next = applyProgress(next, view, Date.now());
    } else if ('seq' in (payload as object)) {
      events.push(viewOf(event, payload as EventView));
      if (event === 'done' || event === 'jobs' || event === 'problem') onListChange((payload as EventView).run);
    }
  }
  setState(applyEvents(next, events));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useLive(): LiveState {
  return useSyncExternalStore(subscribe, () => published);
}

export function useLiveRun(run: number): RunLive | null {
  return useLive().runs.get(run) ?? null;
}
