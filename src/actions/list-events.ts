// What happened, newest first.

import { z } from 'zod';
import type { JournalEvent } from '../store/port.ts';
import { action } from './action.ts';
import { oneRun, WHICH_RUN } from './one-run.ts';

export const EventView = z.object({
  seq: z.int().describe('Grows with every event; pass it as `before` to go on'),
  at: z.iso.datetime(),
  run: z.int(),
  kind: z.string(),
  url: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
});

export type EventView = z.output<typeof EventView>;

export const listEvents = action({
  name: 'list_events',
  summary: 'Show what happened in runs, newest first',
  effect: 'read',
  input: z.strictObject({
    run: z.string().min(1).optional().describe(`${WHICH_RUN}; all runs unless given`),
    kind: z.string().min(1).optional().describe('Only events of this kind'),
    before: z.int().min(1).optional().describe('Only events older than this number'),
    limit: z.int().min(1).max(1000).default(50).describe('How many to show'),
  }),
  output: z.object({ events: z.array(EventView) }),
  doors: {
    cli: { command: 'events', positional: ['run'], example: 'pinakes events docs.example.dev --limit 20' },
    http: [
      { method: 'GET', path: '/events' },
      { method: 'GET', path: '/runs/{run}/events' },
    ],
  },

  async run({ run: named, kind, before, limit }, { store }) {
    const run = named === undefined ? null : (await oneRun(store, named)).id;
    const events = await store.journal.before({ run, kind: kind ?? null, before: before ?? null, limit });
    return { events: events.map(eventView) };
  },
});

export function eventView({ seq, at, run, kind, url, detail }: JournalEvent): EventView {
  return { seq, at: at.toISOString(), run, kind, url, detail: { ...detail } };
}
