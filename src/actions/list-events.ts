// Lists the events of runs, newest first.

import { z } from 'zod';
import type { JournalEvent } from '../store/port.ts';
import { action } from './action.ts';
import { RUN_REFERENCE, resolveRun } from './support/resolve.ts';

export const EventView = z.object({
  seq: z.int().describe('Increases with every event; pass it as `before` for older ones'),
  at: z.iso.datetime(),
  run: z.int(),
  kind: z.string(),
  url: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
});

export type EventView = z.output<typeof EventView>;

export const listEvents = action({
  name: 'list_events',
  summary: 'List the events of runs, newest first',
  effect: 'read',
  input: z.strictObject({
    run: z.string().min(1).optional().describe(`${RUN_REFERENCE}; all runs by default`),
    kind: z.string().min(1).optional().describe('Only events of this kind'),
    before: z.int().min(1).optional().describe('Only events with a lower sequence number'),
    limit: z.int().min(1).max(1000).default(50).describe('Maximum number of events'),
  }),
  output: z.object({ events: z.array(EventView) }),
  bindings: {
    cli: { command: 'events', positional: ['run'], example: 'pinakes events docs.example.dev --limit 20' },
    http: [
      { method: 'GET', path: '/events' },
      { method: 'GET', path: '/runs/{run}/events', operation: 'list_run_events' },
    ],
  },

  async run({ run: reference, kind, before, limit }, { store }) {
    const run = reference === undefined ? null : (await resolveRun(store, reference)).id;
    const events = await store.journal.before({ run, kind: kind ?? null, before: before ?? null, limit });
    return { events: events.map(eventView) };
  },
});

export function eventView({ seq, at, run, kind, url, detail }: JournalEvent): EventView {
  return { seq, at: at.toISOString(), run, kind, url, detail: { ...detail } };
}
