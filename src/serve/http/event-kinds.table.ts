// Event kinds of the journal, with their frame on the stream and their meaning. docs/reference/events.md is generated from
// it.

export interface EventKind {
  /** Name of its frame on the stream. */
  readonly frame: 'jobs' | 'done' | 'queue' | 'cache' | 'problem' | 'milestone' | 'log';
  readonly description: string;
}

/** Any other kind is sent as a `log` frame. */
export const EVENT_KINDS: Readonly<Record<string, EventKind>> = {
  'run-started': { frame: 'jobs', description: 'Run started by a worker' },
  'run-paused': { frame: 'jobs', description: 'Run paused' },
  'run-resumed': { frame: 'jobs', description: 'Run resumed' },
  'run-stopping': { frame: 'jobs', description: 'Run is stopping; claims in flight are settled first' },
  'run-ended': { frame: 'done', description: 'Run ended; see `state` and `reason`' },
  problem: { frame: 'problem', description: 'A problem that needs attention' },
  milestone: { frame: 'milestone', description: 'The run reached a milestone, once' },
  enqueued: { frame: 'queue', description: 'URL enters the queue, in runs of up to `crawl.queueEventMaxUrls` URLs' },
  dequeued: { frame: 'queue', description: 'URL claimed by a worker, in runs of up to `crawl.queueEventMaxUrls` URLs' },
  retry: { frame: 'queue', description: 'URL returns to the queue after a failure, or because its worker was lost' },
  drop: {
    frame: 'queue',
    description: 'URL not fetched: a rule excludes it, the run was stopped or reached a limit',
  },
  new: { frame: 'queue', description: 'New page stored' },
  changed: { frame: 'queue', description: 'Page content changed' },
  gone: { frame: 'queue', description: 'Page confirmed as deleted and removed' },
  moved: { frame: 'queue', description: 'URL is an alias of another page' },
  deduplicated: { frame: 'queue', description: 'Page became an alias of one with the same text' },
  restored: { frame: 'queue', description: 'Alias became a page again: its text now differs' },
  skipped: { frame: 'queue', description: 'Page fetched but not indexed: no content, or marked noindex' },
  failed: { frame: 'queue', description: 'URL failed after its last attempt' },
  missing: { frame: 'queue', description: 'Stored page not found; the end of the run confirms it' },
  unchanged: { frame: 'cache', description: 'Page fetched, unchanged' },
  pace: { frame: 'log', description: 'The request rate of a host changed, and why' },
  throttled: { frame: 'log', description: 'A site asked to slow down during a plan' },
  'disk-full': { frame: 'log', description: 'Not enough disk space; crawling is paused' },
  'disk-recovered': { frame: 'log', description: 'Disk space recovered; crawling resumed' },
};
