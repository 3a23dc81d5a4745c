// Event kinds of the journal, with their frame on the stream and their meaning. docs/reference/events.md is generated from
// it.

import { OUTCOME_LABELS, SHOWN_OUTCOMES } from '../../core/outcome/outcome-labels.table.ts';

export interface EventKind {
  /** Name of its frame on the stream. */
  readonly frame: 'jobs' | 'done' | 'queue' | 'cache' | 'problem' | 'milestone' | 'log';
  readonly description: string;
}

/** Outcomes are events under their name, except those without a fetch, which are `drop`. */
const outcomeEvents = Object.fromEntries(
  SHOWN_OUTCOMES.filter((name) => name !== 'excluded' && name !== 'dropped').map((name) => [
    name,
    { frame: name === 'unchanged' ? 'cache' : 'queue', description: OUTCOME_LABELS[name].description } as const,
  ]),
);

/** Any other kind is sent as a `log` frame. */
export const EVENT_KINDS: Readonly<Record<string, EventKind>> = {
  'run-started': { frame: 'jobs', description: 'Run started by a worker' },
  'run-paused': { frame: 'jobs', description: 'Run paused' },
  'run-resumed': { frame: 'jobs', description: 'Run resumed' },
  'run-stopping': { frame: 'jobs', description: 'Run is stopping; claims in flight are settled first' },
  'run-ended': { frame: 'done', description: 'Run ended; see `state` and `reason`' },
  problem: { frame: 'problem', description: 'A problem that needs attention' },
  milestone: { frame: 'milestone', description: 'The run reached a milestone, once' },
  // A specification fixes the names `enqueued`, `dequeued`, `retry` and `drop`.
  enqueued: { frame: 'queue', description: 'URL enters the queue, in runs of up to `crawl.queueEventMaxUrls` URLs' },
  dequeued: { frame: 'queue', description: 'URL claimed by a worker, in runs of up to `crawl.queueEventMaxUrls` URLs' },
  retry: { frame: 'queue', description: 'URL returns to the queue after a failure, or because its worker was lost' },
  drop: {
    frame: 'queue',
    description: 'URL not fetched: a rule excludes it, the run was stopped or reached a limit',
  },
  ...outcomeEvents,
  deduplicated: { frame: 'queue', description: 'Page became an alias of one with the same text' },
  restored: { frame: 'queue', description: 'Alias became a page again: its text now differs' },
  'rate-changed': { frame: 'log', description: 'The request rate of a host changed, with the reason' },
  throttled: { frame: 'log', description: 'A site asked to slow down during a plan' },
  'disk-full': { frame: 'log', description: 'Not enough disk space; crawling is paused' },
  'disk-recovered': { frame: 'log', description: 'Disk space recovered; crawling resumed' },
};
