// Groups the failures of the last hours over all runs, by reason and host.

import { z } from 'zod';
import { hostOf } from '../core/model/page-url.ts';
import type { JournalEvent } from '../store/port/journal.ts';
import { action } from './action.ts';
import { RUN_REFERENCE, resolveRunId } from './support/resolve.ts';

const FailureGroup = z.object({
  reason: z.string(),
  host: z.string(),
  count: z.int(),
  lastAt: z.iso.datetime(),
  run: z.int().describe('The run of the latest'),
  example: z.string().describe('The URL of the latest'),
});

export type FailureGroupView = z.output<typeof FailureGroup>;

/** The newest failures that are grouped: more would take too long to read. */
const MAX_EVENTS = 2000;
const HOUR_MS = 3_600_000;

export const listFailures = action({
  name: 'list_failures',
  summary: 'List the failed URLs of the last hours in all runs, grouped by reason and host',
  effect: 'read',
  input: z.strictObject({
    run: z.string().min(1).optional().describe(`${RUN_REFERENCE}; all runs by default`),
    hours: z.int().min(1).max(8760).default(24).describe('Hours to include, back from now'),
    limit: z.int().min(1).max(500).default(100).describe('Maximum number of groups'),
  }),
  output: z.object({
    since: z.iso.datetime(),
    failures: z.array(FailureGroup).describe('Most frequent first'),
    isTruncated: z.boolean().describe(`Whether there are more failures: only the newest ${MAX_EVENTS} are counted`),
  }),
  bindings: {
    cli: { command: 'failures', group: 'runs', positional: ['run'], example: 'pinakes failures --hours 1' },
    http: [
      { method: 'GET', path: '/failures' },
      // A specification fixes this route.
      { method: 'GET', path: '/recent-errors', operation: 'recent_errors' },
    ],
  },

  async run({ run: reference, hours, limit }, { store }) {
    const run = await resolveRunId(store, reference);
    const newest = { run, kind: 'failed', before: null, after: null, limit: MAX_EVENTS };
    const events = await store.journal.list(newest);
    const since = new Date(Date.now() - hours * HOUR_MS);
    const recent = events.filter(({ at }) => at >= since);
    const groups = Map.groupBy(recent, (event) => `${hostOfEvent(event)} ${reasonOf(event)}`);
    const failures = [...groups.values()].map(groupView).toSorted((a, b) => b.count - a.count);
    return {
      since: since.toISOString(),
      failures: failures.slice(0, limit),
      isTruncated: recent.length === MAX_EVENTS,
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
function groupView(events: readonly JournalEvent[]): FailureGroupView {
  const latest = events[0] as JournalEvent;
  return {
    reason: reasonOf(latest),
    host: hostOfEvent(latest),
    count: events.length,
    lastAt: latest.at.toISOString(),
    run: latest.run,
    example: latest.url ?? '',
  };
}
