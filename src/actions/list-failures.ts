// Groups the failures of the last hours over all runs, retried requests and broken links included, by outcome, reason and host.

import { z } from 'zod';
import { hostOf } from '../core/model/page-url.ts';
import type { JournalEvent } from '../store/port/journal.ts';
import { action } from './action.ts';
import { RUN_REFERENCE, resolveRunId } from './support/resolve.ts';

/** Kinds of events about a URL that could not be read. */
const FAILURE_KINDS = ['failed', 'retry', 'not-found', 'missing'] as const;

const FailureGroup = z.object({
  outcome: z.enum(FAILURE_KINDS).describe('retry: a later attempt may have succeeded'),
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
  summary: 'List failed, retried and missing URLs of the last hours in all runs, grouped by outcome, reason and host',
  effect: 'read',
  input: z.strictObject({
    run: z.string().min(1).optional().describe(`${RUN_REFERENCE}; all runs by default`),
    hours: z.int().min(1).max(8760).default(24).describe('Hours to include, back from now'),
    limit: z.int().min(1).max(500).default(100).describe('Maximum number of groups'),
  }),
  output: z.object({
    since: z.iso.datetime(),
    failures: z.array(FailureGroup).describe('Most frequent first'),
    isTruncated: z
      .boolean()
      .describe(`Whether there are more failures: only the newest ${MAX_EVENTS} of each outcome are counted`),
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
    const since = new Date(Date.now() - hours * HOUR_MS);
    const failures: FailureGroupView[] = [];
    let isCut = false;
    for (const kind of FAILURE_KINDS) {
      const events = await store.journal.list({ run, kind, before: null, after: null, limit: MAX_EVENTS });
      const recent = events.filter(({ at }) => at >= since);
      isCut ||= recent.length === MAX_EVENTS;
      const groups = Map.groupBy(recent, (event) => `${hostOfEvent(event)} ${reasonOf(event)}`);
      failures.push(...[...groups.values()].map((group) => groupView(kind, group)));
    }
    failures.sort((a, b) => b.count - a.count);
    return {
      since: since.toISOString(),
      failures: failures.slice(0, limit),
      isTruncated: isCut,
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
function groupView(outcome: FailureGroupView['outcome'], events: readonly JournalEvent[]): FailureGroupView {
  const latest = events[0] as JournalEvent;
  return {
    outcome,
    reason: reasonOf(latest),
    host: hostOfEvent(latest),
    count: events.length,
    lastAt: latest.at.toISOString(),
    run: latest.run,
    example: latest.url ?? '',
  };
}
