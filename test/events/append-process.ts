// Writes events into a PostgreSQL journal, in small batches, as fast as it can.

import type { RunId } from '../../src/core/model/run.ts';
import { openPlace, type Place } from '../zombies/test-database.ts';
import { appendBatches } from './append-batches.ts';

const order = JSON.parse(process.argv[2] ?? '') as { place: Place; run: RunId; writer: string; batches: number };
const { store } = await openPlace(order.place);
await appendBatches(store, order);
await store.close();
