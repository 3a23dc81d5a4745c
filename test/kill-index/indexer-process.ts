// Indexes what waits and merges segments, until it is killed or has nothing left to do.

import { writeSync } from 'node:fs';
import { openPlace, type Place } from '../zombies/test-database.ts';

export interface IndexOrder {
  readonly place: Place;
  /** Pages a step: few, so that there are many steps and many segments to merge. */
  readonly pages: number;
  /** When all is indexed, every page is queued again, for ever. */
  readonly again: boolean;
}

/** A merge takes several steps, in which no page is indexed. */
const IDLE_STEPS = 60;

const order = JSON.parse(process.argv[2] ?? '') as IndexOrder;
const { store } = await openPlace(order.place);
const versions = (await store.sources.list()).flatMap((source) => source.versions);
writeSync(1, 'working\n');
for (let idle = 0; idle < IDLE_STEPS;) {
  idle = (await store.searchRows.index(order.pages)) === 0 ? idle + 1 : 0;
  if (idle === IDLE_STEPS && order.again) {
    for (const { id } of versions) await store.searchRows.reindex(id);
    idle = 0;
  }
}
await store.close();
