// Events as they travel: frames of a text/event-stream. The name of a frame is its kind of news; the number is the
// journal's, by which a client resumes.

import type { EventView } from '../../actions/list-events.ts';
import type { RunView } from '../../actions/support/run-view.ts';
import { EVENT_KINDS } from './event-kinds.table.ts';

/** Empty for a log line that is not wanted. */
export function frameOfEvent(event: EventView, logs: boolean): string {
  const kind = EVENT_KINDS[event.kind]?.frame ?? 'log';
  if (kind === 'log' && !logs) return '';
  return `id: ${event.seq}\nevent: ${kind}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Progress has no number: it is read off the counters and replaced by the next. */
export function frameOfProgress(view: RunView): string {
  return `event: progress\ndata: ${JSON.stringify(view)}\n\n`;
}
