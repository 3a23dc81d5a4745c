// The run that somebody means: by its number, or by the name of its source.

import { pinakesError } from '../core/model/errors.ts';
import type { RunId } from '../core/model/run.ts';
import type { Run, Store } from '../store/port.ts';

export const WHICH_RUN = 'The number of a run, or the name of a source, whose latest run is meant';

/** Raises `run.unknown`. */
export async function oneRun(store: Store, named: string): Promise<Run> {
  const found = /^\d{1,15}$/.test(named) ? await store.runs.byId(Number(named) as RunId) : await latestOf(store, named);
  if (found === null) throw pinakesError('run.unknown', { run: named });
  return found;
}

async function latestOf(store: Store, name: string): Promise<Run | null> {
  const source = await store.sources.byName(name);
  const [latest] = source === null ? [] : await store.runs.list(1, source.id);
  return latest ?? null;
}
