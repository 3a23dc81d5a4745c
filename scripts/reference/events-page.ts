// docs/reference/events.md, from the table of what the journal says and from the states of a run.

import type { z } from 'zod';
import { ENDED_RUN_STATES, LIVE_RUN_STATES } from '../../src/core/model/run.ts';
import { EventView } from '../../src/actions/list-events.ts';
import { RunView } from '../../src/actions/support/run-view.ts';
import { EVENT_KINDS } from '../../src/serve/http/event-kinds.table.ts';
import { fieldRows } from './field-rows.ts';
import { inCode, page, table } from './markdown.ts';

export function eventsPage(): string {
  const rows = Object.entries(EVENT_KINDS).map(([kind, { frame, says }]) => [inCode(kind), inCode(frame), says]);
  return page(
    'Events',
    `What happens in a run is an event. \`pinakes events\` and \`GET /api/events\` list them, newest first; \`GET /events\` streams
them as they are committed. A number grows with each event, in the order of commits: a client that comes back with the
last one it saw (\`Last-Event-ID\`, or \`?after=\`) misses nothing. \`?run=\` keeps to one run, \`?logs=0\` leaves log lines out.
Progress has no number, because it is replaced by the next.`,
    table(['kind', 'frame of the stream', 'what it says'], rows),
    `A kind that is not in this table is a frame \`log\`. A run lives in ${LIVE_RUN_STATES.map(inCode).join(', ')} and ends in exactly one of ${ENDED_RUN_STATES.map(inCode).join(', ')}.`,
    `## An event\n\n${shape(EventView)}`,
    `## Progress\n\nThe data of a frame \`progress\`, and of \`pinakes status --json\`.\n\n${shape(RunView)}`,
  );
}

function shape(schema: z.ZodType): string {
  const rows = fieldRows(schema).map(([name = '', value = '', , says = '']) => [name, value, says]);
  return table(['field', 'value', 'what it is'], rows);
}
