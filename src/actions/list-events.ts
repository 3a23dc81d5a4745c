// Lists the events of runs, newest first.

import { z } from 'zod';
import { hostOf } from '../core/model/page-url.ts';
import type { JournalEvent } from '../store/port/journal.ts';
import { action } from './action.ts';
import { Cursors, cursorsOf, rangeFields, rangeOf } from './support/list-range.ts';
import { RUN_REFERENCE, resolveRunId } from './support/resolve.ts';

export const EventView = z.object({
  seq: z.int().describe('Increases with every event'),
  at: z.iso.datetime(),
  run: z.int(),
  kind: z.string(),
  url: z.string().nullable(),
  detail: z
    .record(z.string(), z.unknown())
    .describe(
      'Depends on the kind. For URLs of the queue: depth, host, reason, queueSize and rawUrl, the URL as a link wrote it',
    ),
});

export type EventView = z.output<typeof EventView>;

export const listEvents = action({
  name: 'list_events',
  summary: 'List the events of runs, newest first',
  effect: 'read',
  input: z.strictObject({
    run: z.string().min(1).optional().describe(`${RUN_REFERENCE}; all runs by default`),
    kind: z.string().min(1).optional().describe('Only events of this kind'),
    ...rangeFields('events', { limit: 50, max: 1000 }),
  }),
  output: z.object({ events: z.array(EventView), cursors: Cursors }),
  bindings: {
    cli: {
      command: 'events',
      group: 'runs',
      positional: ['run'],
      example: 'pinakes events docs.example.dev --limit 20',
    },
    http: [
      { method: 'GET', path: '/events' },
      { method: 'GET', path: '/runs/{run}/events', operation: 'list_run_events' },
    ],
  },

  async run({ run: reference, kind = null, ...range }, { store }) {
    const run = await resolveRunId(store, reference);
    const events = await store.journal.list({ run, kind, ...rangeOf(range) });
    const cursors = cursorsOf(
      events.map(({ seq }) => seq),
      range,
    );
    return { events: events.map(eventView), cursors };
  },
});

export function eventView({ seq, at, run, kind, url, detail }: JournalEvent): EventView {
  const host = url !== null && 'queueSize' in detail ? { host: hostOf(url) } : {};
  return { seq, at: at.toISOString(), run, kind, url, detail: { ...host, ...detail } };
}
