// What the stream has told so far, as the page keeps it: runs, their pace, and the newest events. Pure: frames in, state out.

import type { EventView, RunView } from '../api/responses.ts';

export interface Sample {
  readonly at: number;
  /** URLs that had come to an end by then. */
  readonly settled: number;
  readonly bytes: number;
}

export interface RunLive {
  readonly view: RunView;
  readonly samples: readonly Sample[];
  /** How long fetched pages took, newest last. */
  readonly latencies: ReadonlyArray<{ readonly at: number; readonly ms: number }>;
  /** Newest first. */
  readonly events: readonly EventView[];
}

export interface LiveState {
  readonly connection: 'connecting' | 'live' | 'lost';
  /** The last event that arrived; a stream that breaks goes on after it. */
  readonly seq: number | null;
  /** How many events arrived, over all connections. */
  readonly received: number;
  readonly runs: ReadonlyMap<number, RunLive>;
}

export const NOTHING_YET: LiveState = { connection: 'connecting', seq: null, received: 0, runs: new Map() };

const MOST_SAMPLES = 900;
const MOST_LATENCIES = 2000;
const MOST_EVENTS = 1000;

export function settledOf({ counts }: RunView): number {
  return counts.found - counts.queued;
}

export function withProgress(state: LiveState, view: RunView, at: number): LiveState {
  const known = state.runs.get(view.run);
  const sample = { at, settled: settledOf(view), bytes: view.counts.bytes };
  const samples = [...(known?.samples ?? []), sample].slice(-MOST_SAMPLES);
  const runs = new Map(state.runs);
  runs.set(view.run, { latencies: [], events: [], ...known, view, samples });
  return { ...state, runs };
}

/** An event that was seen already changes nothing. */
export function withEvents(state: LiveState, events: readonly EventView[]): LiveState {
  const fresh = events.filter(({ seq }) => seq > (state.seq ?? -1));
  if (fresh.length === 0) return state;
  const runs = new Map(state.runs);
  for (const [run, own] of Map.groupBy(fresh, (event) => event.run)) {
    const known = runs.get(run);
    if (known === undefined) continue;
    const timed = own.flatMap(({ at, detail }) =>
      typeof detail['ms'] === 'number' ? [{ at: Date.parse(at), ms: detail['ms'] }] : [],
    );
    runs.set(run, {
      ...known,
      view: endedBy(own, known.view),
      latencies: [...known.latencies, ...timed].slice(-MOST_LATENCIES),
      events: [...own.toReversed(), ...known.events].slice(0, MOST_EVENTS),
    });
  }
  return { ...state, runs, seq: fresh.at(-1)?.seq ?? state.seq, received: state.received + fresh.length };
}

/** Nobody tells the progress of a run that has ended: its last event does. */
function endedBy(events: readonly EventView[], view: RunView): RunView {
  const end = events.findLast(({ kind }) => kind === 'run-ended');
  if (end === undefined) return view;
  const { state, reason } = end.detail;
  return {
    ...view,
    endedAt: end.at,
    state: typeof state === 'string' ? state : view.state,
    reason: typeof reason === 'string' ? reason : null,
  };
}

/** Settled URLs a second, between samples that are `spanMs` apart. */
export function rateOf(samples: readonly Sample[], spanMs = 10_000): number {
  const last = samples.at(-1);
  const first = last && samples.find(({ at }) => last.at - at <= spanMs);
  if (last === undefined || first === undefined || last.at === first.at) return 0;
  return ((last.settled - first.settled) * 1000) / (last.at - first.at);
}
