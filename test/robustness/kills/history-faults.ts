// Checks the history of a run: numbers without a gap, one end of every URL, and as many of each kind as the counters say.

import { SETTLED_OUTCOMES, type OutcomeName } from '../../../src/core/model/outcome.ts';
import type { Store } from '../../../src/store/port.ts';
import type { JournalEvent } from '../../../src/store/port/journal.ts';

const ENDS: ReadonlySet<string> = new Set(SETTLED_OUTCOMES);

/** The end of a run turns duplicates into aliases, which is not an event. */
const TOGETHER: ReadonlyArray<readonly OutcomeName[]> = [
  ['new', 'moved'],
  ['changed'],
  ['unchanged'],
  ['skipped'],
  ['failed'],
  ['removed'],
  ['not-found'],
];

/** In words; empty if nothing is missing and nothing is there twice. `events` are all of the library, oldest first. */
export async function historyFaults(store: Store, events: readonly JournalEvent[]): Promise<readonly string[]> {
  const gaps = events.filter(({ seq }, i) => seq !== (events[0]?.seq ?? 0) + i);
  const faults = gaps.slice(0, 3).map(({ seq }) => `gap or repetition before event ${seq}`);
  for (const run of await store.runs.list(100)) {
    const own = events.filter((event) => event.run === run.id);
    const times = (kind: string): number => own.filter((event) => event.kind === kind).length;
    for (const kind of ['run-started', 'run-ended'])
      if (times(kind) !== 1) faults.push(`run ${run.id}: ${times(kind)} × ${kind}`);
    for (const kinds of TOGETHER) {
      const reported = kinds.reduce((sum, kind) => sum + times(kind), 0);
      const counted = kinds.reduce((sum, kind) => sum + run.counts[kind], 0);
      if (reported !== counted) faults.push(`run ${run.id}: ${reported} × ${kinds.join(' or ')}, counted ${counted}`);
    }
    faults.push(...urlFaults(own).map((fault) => `run ${run.id}: ${fault}`));
    const samples = await store.runs.samples(run.id);
    if (samples.at(-1)?.found !== run.counts.found) faults.push(`run ${run.id}: its last sample is not its end`);
    const hosts = await store.runs.hosts(run.id, 100);
    const requests = hosts.reduce((sum, host) => sum + host.requests, 0);
    if (requests !== run.counts.requests)
      faults.push(`run ${run.id}: ${requests} requests of hosts, ${run.counts.requests} of the run`);
  }
  return faults;
}

/** A URL enters the queue, leaves it once more often than it returns to it, and ends once. */
function urlFaults(events: readonly JournalEvent[]): string[] {
  const faults: string[] = [];
  const named = events.filter(({ url }) => url !== null);
  for (const [url, own] of Map.groupBy(named, (event) => event.url)) {
    const ends = own.filter(({ kind }) => ENDS.has(kind) || kind === 'drop').length;
    const times = (kind: string): number => own.filter((event) => event.kind === kind).length;
    if (times('enqueued') > 0 && ends !== 1) faults.push(`${url} ended ${ends} times`);
    if (times('dequeued') > times('enqueued') + times('retry'))
      faults.push(`${url} left the queue more often than it entered it`);
  }
  return faults;
}
