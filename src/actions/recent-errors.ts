// Groups the failures of the last hours over all runs, by reason and host.

import { z } from 'zod';
import { hostOf } from '../core/model/page-url.ts';
import type { JournalEvent } from '../store/port.ts';
import { action } from './action.ts';
import { RUN_REFERENCE, resolveRunId } from './support/resolve.ts';

const ErrorGroup = z.object({
  reason: z.string(),
  host: z.string(),
  times: z.int(),
  lastAt: z.iso.datetime(),
  run: z.int().describe('The run of the latest'),
  example: z.string().describe('The URL of the latest'),
});

export type ErrorGroupView = z.output<typeof ErrorGroup>;

/** The newest failures that are grouped: more would take longer to read than anybody waits. */
const MAX_EVENTS = 2000;
const HOUR_MS = 3_600_000;

export const recentErrors = action({
  name: 'recent_errors',
  summary: 'Show what failed lately in all runs, grouped by reason and host',
  effect: 'read',
  input: z.strictObject({
    run: z.string().min(1).optional().describe(`${RUN_REFERENCE}; all runs by default`),
    hours: z.int().min(1).max(8760).default(24).describe('How far back to look'),
    limit: z.int().min(1).max(500).default(100).describe('Maximum number of groups'),
  }),
  output: z.object({
    since: z.iso.datetime(),
    errors: z.array(ErrorGroup).describe('Most frequent first'),
    isComplete: z.boolean().describe(`Whether all failures are counted: the newest ${MAX_EVENTS} are`),
  }),
  bindings: {
    cli: { command: 'errors', positional: ['run'], example: 'pinakes errors --hours 1' },
    http: { method: 'GET', path: '/recent-errors' },
  },

  async run({ run: reference, hours, limit }, { store }) {
    const run = await resolveRunId(store, reference);
    const newest = { run, kind: 'failed', before: null, after: null, limit: MAX_EVENTS };
    const events = await store.journal.list(newest);
    const since = new Date(Date.now() - hours * HOUR_MS);
    const recent = events.filter(({ at }) => at >= since);
    const groups = Map.groupBy(recent, (event) => `${hostOfEvent(event)} ${reasonOf(event)}`);
    const errors = [...groups.values()].map(groupView).toSorted((a, b) => b.times - a.times);
    return {
      since: since.toISOString(),
      errors: errors.slice(0, limit),
      isComplete: recent.length < MAX_EVENTS,
    };
  },
});

function reasonOf({ detail }: JournalEvent): string {
  return typeof detail['reason'] === 'string' ? detail['reason'] : 'unknown';
}

function hostOfEvent({ url }: JournalEvent): string {
  return url === null ? '' : hostOf(url);
}

/** Events are newest first. */
function groupView(events: readonly JournalEvent[]): ErrorGroupView {
  const latest = events[0] as JournalEvent;
  return {
    reason: reasonOf(latest),
    host: hostOfEvent(latest),
    times: events.length,
    lastAt: latest.at.toISOString(),
    run: latest.run,
    example: latest.url ?? '',
  };
}
