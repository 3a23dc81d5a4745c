// Events as they travel: frames of a text/event-stream. The name of a frame is its kind of news; the number is the
// journal's, by which a client resumes.

import type { EventView } from '../../actions/list-events.ts';
import type { RunView } from '../../actions/run-view.ts';

/** What the journal calls things, and what kind of news they are. Pages are `queue`; what is not here is a log line. */
const KINDS: Readonly<Record<string, string>> = {
  'run-ended': 'done',
  'run-started': 'jobs',
  'run-paused': 'jobs',
  'run-resumed': 'jobs',
  'run-stopping': 'jobs',
  problem: 'problem',
  milestone: 'milestone',
  new: 'queue',
  changed: 'queue',
  gone: 'queue',
  moved: 'queue',
  skipped: 'queue',
  failed: 'queue',
  dropped: 'queue',
  unchanged: 'cache',
};

/** Empty for a log line that is not wanted. */
export function frameOfEvent(event: EventView, logs: boolean): string {
  const kind = KINDS[event.kind] ?? 'log';
  if (kind === 'log' && !logs) return '';
  return `id: ${event.seq}\nevent: ${kind}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Progress has no number: it is read off the counters and replaced by the next. */
export function frameOfProgress(view: RunView): string {
  return `event: progress\ndata: ${JSON.stringify(view)}\n\n`;
}
