// What the journal calls things, which kind of news each is on the stream, and what it means. docs/reference/events.md is
// written from it.

export interface EventKind {
  /** The name of its frame on the stream. */
  readonly frame: 'jobs' | 'done' | 'queue' | 'cache' | 'problem' | 'milestone' | 'log';
  readonly says: string;
}

/** What is not here is a log line. */
export const EVENT_KINDS: Readonly<Record<string, EventKind>> = {
  'run-started': { frame: 'jobs', says: 'A worker began with the run' },
  'run-paused': { frame: 'jobs', says: 'Somebody let it rest' },
  'run-resumed': { frame: 'jobs', says: 'It goes on' },
  'run-stopping': { frame: 'jobs', says: 'It is to end; what is held is settled first' },
  'run-ended': { frame: 'done', says: 'It ended; `state` and `reason` say how' },
  problem: { frame: 'problem', says: 'Something that somebody should look at' },
  milestone: { frame: 'milestone', says: 'The run came this far, once' },
  new: { frame: 'queue', says: 'A page that was not known was kept' },
  changed: { frame: 'queue', says: 'A page was replaced by its new content' },
  gone: { frame: 'queue', says: 'A page was proven gone and was removed' },
  moved: { frame: 'queue', says: 'A URL is an alias of another one' },
  skipped: { frame: 'queue', says: 'Fetched, and not knowledge, or asked not to be indexed' },
  failed: { frame: 'queue', says: 'Given up after its attempts' },
  dropped: { frame: 'queue', says: 'Not asked any more, because the run was stopped or cut' },
  unchanged: { frame: 'cache', says: 'Asked, and found as it was' },
  pace: { frame: 'log', says: 'A host is asked faster or slower from now on, and why' },
  throttled: { frame: 'log', says: 'A site asked for a pause while it was being planned' },
  'out-of-room': { frame: 'log', says: 'The database has no room; the work waits' },
  'room-again': { frame: 'log', says: 'There is room; the work goes on' },
};
