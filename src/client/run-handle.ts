// One run as a program follows and controls it.

import type { EventView } from '../actions/list-journal.ts';
import type { RunView } from '../actions/support/run-view.ts';
import { pinakesError } from '../core/model/errors.ts';
import type { CallOptions, EventOptions, StartedRun, Transport } from './transport.ts';
import { sleep } from './sleep.ts';

/**
 * @example
 * for await (const { state, counts } of run.progress()) console.log(state, counts.new);
 * const { state } = await run.done();
 */
export interface RunHandle {
  readonly id: number;
  /** Sentences that the user should know, such as what was not stored. */
  readonly notes: readonly string[];
  status(options?: CallOptions): Promise<RunView>;
  /** Its state whenever it has changed. The last one is that of the ended run, when its pages can be searched. */
  progress(options?: CallOptions): AsyncIterable<RunView>;
  /** Resolves when the run has ended, in whatever `state`, and its pages can be searched. */
  done(options?: CallOptions): Promise<RunView>;
  /** Its events until its end: all of them for a run that this program started, otherwise from now on or from `after`. */
  events(options?: EventOptions): AsyncIterable<EventView>;
  pause(options?: CallOptions): Promise<RunView>;
  resume(options?: CallOptions): Promise<RunView>;
  /** Stored pages stay. */
  stop(options?: CallOptions): Promise<RunView>;
}

export const FIRST_POLL_MS = 100;
export const MAX_POLL_MS = 1000;

/** The number of the last event of all runs. */
export async function lastSeq({ call }: Pick<Transport, 'call'>, options: CallOptions): Promise<number> {
  const { events } = await call('list_events', { limit: 1 }, options);
  return events[0]?.seq ?? 0;
}

/** `after` is the last event before the run; null if it is not known. */
export function createRunHandle(
  transport: Transport,
  { run: id, notes = [] }: StartedRun,
  after: number | null,
): RunHandle {
  const reference = String(id);

  async function readStatus(options: CallOptions): Promise<{ readonly view: RunView; readonly isDone: boolean }> {
    const { runs, isSearchable } = await transport.call('crawl_status', { run: reference, brief: true }, options);
    const [view] = runs;
    if (view === undefined) throw pinakesError('internal', { reason: `run ${id} has no state` });
    return { view, isDone: view.endedAt !== null && isSearchable };
  }

  async function* progress(options: CallOptions): AsyncGenerator<RunView, void> {
    let shown = '';
    for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(2 * pollMs, MAX_POLL_MS)) {
      const { view, isDone } = await readStatus(options);
      const text = JSON.stringify(view);
      if (text !== shown || isDone) yield view;
      if (isDone) return;
      shown = text;
      await sleep(pollMs, options.signal);
    }
  }

  /** The number of the last event of a run that has ended; null while it has not. */
  async function endOf(signal: AbortSignal | undefined): Promise<number | null> {
    const { view } = await readStatus({ signal });
    if (view.endedAt === null) return null;
    const { events } = await transport.call('list_events', { run: reference, limit: 1 }, { signal });
    return events[0]?.seq ?? 0;
  }

  async function* follow({ after: provided, signal }: EventOptions): AsyncGenerator<EventView, void> {
    // Before the state is read: a run that ends in between announces it after this event.
    const from = provided ?? after ?? (await lastSeq(transport, { signal }));
    const end = await endOf(signal);
    if (end !== null && from >= end) return;
    for await (const event of transport.events(id, { after: from, signal })) {
      yield event;
      if (event.kind === 'run-ended' || (end !== null && event.seq >= end)) return;
    }
  }

  async function control(command: 'pause' | 'resume' | 'stop', options: CallOptions = {}): Promise<RunView> {
    await transport.call('control_run', { run: reference, command }, options);
    return (await readStatus(options)).view;
  }

  return {
    id,
    notes,
    status: async (options = {}) => (await readStatus(options)).view,
    progress: (options = {}) => ({ [Symbol.asyncIterator]: () => progress(options) }),
    async done(options = {}) {
      let last: RunView | null = null;
      for await (const view of progress(options)) last = view;
      if (last === null) throw pinakesError('internal', { reason: `run ${id} has no state` });
      return last;
    },
    events: (options = {}) => ({ [Symbol.asyncIterator]: () => follow(options) }),
    pause: (options) => control('pause', options),
    resume: (options) => control('resume', options),
    stop: (options) => control('stop', options),
  };
}
