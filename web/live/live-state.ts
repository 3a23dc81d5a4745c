// The state built from the event stream: runs, their rates and their latest events. Pure: frames in, state out.

import type { EventView, RunView, SamplesResult } from '../api/responses.ts';

export interface Sample {
  readonly at: number;
  /** URLs settled by then. */
  readonly settled: number;
  readonly bytes: number;
}

export interface RunLive {
  readonly view: RunView;
  readonly samples: readonly Sample[];
  /** Response times of fetched pages, newest last. */
  readonly latencies: ReadonlyArray<{ readonly at: number; readonly ms: number }>;
  /** Newest first. */
  readonly events: readonly EventView[];
}

export interface LiveState {
  readonly connection: 'connecting' | 'live' | 'lost' | 'refused';
  /** The last event received; the stream resumes after it. */
  readonly seq: number | null;
  /** Number of events received over all connections. */
  readonly received: number;
  readonly runs: ReadonlyMap<number, RunLive>;
}

export const INITIAL_STATE: LiveState = { connection: 'connecting', seq: null, received: 0, runs: new Map() };

const MAX_SAMPLES = 900;
const MAX_LATENCIES = 2000;
const MAX_EVENTS = 1000;

export function settledCount({ counts }: RunView): number {
  return counts.found - counts.queued;
}

export function applyProgress(state: LiveState, view: RunView, at: number): LiveState {
  const current = state.runs.get(view.run);
  const sample = { at, settled: settledCount(view), bytes: view.counts.bytes };
  const samples = [...(current?.samples ?? []), sample].slice(-MAX_SAMPLES);
  const runs = new Map(state.runs);
  runs.set(view.run, { latencies: [], events: [], ...current, view, samples });
  return { ...state, runs };
}

/** Events that were already applied are ignored. */
export function applyEvents(state: LiveState, events: readonly EventView[]): LiveState {
  const fresh = events.filter(({ seq }) => seq > (state.seq ?? -1));
  if (fresh.length === 0) return state;
  const runs = new Map(state.runs);
  for (const [run, runEvents] of Map.groupBy(fresh, (event) => event.run)) {
    const current = runs.get(run);
    if (current === undefined) continue;
    const latencies = latenciesOf(runEvents);
    runs.set(run, {
      ...current,
      view: applyRunEnd(runEvents, current.view),
      latencies: [...current.latencies, ...latencies].slice(-MAX_LATENCIES),
      events: [...runEvents.toReversed(), ...current.events].slice(0, MAX_EVENTS),
    });
  }
  return { ...state, runs, seq: fresh.at(-1)?.seq ?? state.seq, received: state.received + fresh.length };
}

function latenciesOf(events: readonly EventView[]): RunLive['latencies'] {
  return events.flatMap(({ at, detail }) =>
    typeof detail['ms'] === 'number' ? [{ at: Date.parse(at), ms: detail['ms'] }] : [],
  );
}

/** The data of the charts with what was stored before the stream was opened. `events` are newest first. */
export function withEarlier(
  { samples, latencies }: Pick<RunLive, 'samples' | 'latencies'>,
  stored: SamplesResult['samples'],
  events: readonly EventView[],
): Pick<RunLive, 'samples' | 'latencies'> {
  const [firstSample, firstLatency] = [samples[0]?.at ?? Infinity, latencies[0]?.at ?? Infinity];
  const earlier = stored.map(({ at, found, queued, bytes }) => ({
    at: Date.parse(at),
    settled: found - queued,
    bytes,
  }));
  return {
    samples: [...earlier.filter(({ at }) => at < firstSample), ...samples],
    latencies: [...latenciesOf(events.toReversed()).filter(({ at }) => at < firstLatency), ...latencies],
  };
}

/** No progress frame follows the end of a run, so its final state comes from its last event. */
function applyRunEnd(events: readonly EventView[], view: RunView): RunView {
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

/** URLs settled per second over the last `spanMs`. */
export function settledPerSecond(samples: readonly Sample[], spanMs = 10_000): number {
  const last = samples.at(-1);
  const first = last && samples.find(({ at }) => last.at - at <= spanMs);
  if (last === undefined || first === undefined || last.at === first.at) return 0;
  return ((last.settled - first.settled) * 1000) / (last.at - first.at);
}
