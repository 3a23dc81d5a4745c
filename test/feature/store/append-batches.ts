// A writer of events: batches of one to five, each event with the writer's own count.

import type { RunId } from '../../../src/core/model/run.ts';
import type { Store } from '../../../src/store/port.ts';

export interface WriterOptions {
  readonly run: RunId;
  readonly writer: string;
  readonly batches: number;
}

export async function appendBatches(store: Store, { run, writer, batches }: WriterOptions): Promise<void> {
  let written = 0;
  for (let i = 0; i < batches; i += 1) {
    const size = 1 + (i % 5);
    const events = Array.from({ length: size }, () => ({
      kind: writer,
      url: null,
      detail: { n: (written += 1) },
    }));
    await store.journal.append(run, events);
  }
}

export function eventsOf(batches: number): number {
  return Array.from({ length: batches }, (_, i) => 1 + (i % 5)).reduce((sum, size) => sum + size, 0);
}
