import { expect, test } from 'vitest';
import type { EventView } from '../actions/list-journal.ts';
import { createRunHandle } from './run-handle.ts';
import type { EventOptions, Transport } from './transport.ts';

const RUN = 7;

/** A run that ends after its state was read and before the stream of its events is opened. */
function endingTransport(): Transport {
  const events: Array<Pick<EventView, 'seq' | 'kind'>> = [{ seq: 41, kind: 'run-started' }];
  let isEnded = false;
  return {
    async call(action: string) {
      if (action === 'list_events') return { events: [...events].toReversed() };
      const view = { endedAt: isEnded ? '2026-01-01T00:00:00.000Z' : null };
      if (!isEnded) events.push({ seq: 42, kind: 'run-ended' });
      isEnded = true;
      return { runs: [view], isSearchable: true };
    },
    async *events(_: number | null, { after = events.at(-1)?.seq ?? 0 }: EventOptions) {
      yield* events.filter(({ seq }) => seq > after);
      await new Promise(() => undefined);
    },
  } as unknown as Transport;
}

test('the events of a run that ends while they are asked for have its end (finding D13)', async () => {
  const run = createRunHandle(endingTransport(), { run: RUN }, null);
  const kinds = await Array.fromAsync(run.events(), ({ kind }) => kind);
  expect(kinds).toEqual(['run-ended']);
}, 5000);
