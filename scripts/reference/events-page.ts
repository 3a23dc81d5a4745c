// docs/reference/events.md, from the table of event kinds and the states of a run.

import type { z } from 'zod';
import { ENDED_RUN_STATES, LIVE_RUN_STATES } from '../../src/core/model/run.ts';
import { EventView } from '../../src/actions/list-journal.ts';
import { RunView } from '../../src/actions/support/run-view.ts';
import { EVENT_KINDS } from '../../src/serve/http/event-kinds.table.ts';
import { fieldRows } from './field-rows.ts';
import { inCode, page, table } from './markdown.ts';

export function eventsPage(): string {
  const rows = Object.entries(EVENT_KINDS).map(([kind, { frame, description }]) => [
    inCode(kind),
    inCode(frame),
    description,
  ]);
  return page(
    'Events',
    `What happens in a run is recorded as events. \`pinakes events\` and \`GET /api/events\` list them, newest first; \`GET /events\` streams
them as they are committed. Each event has a number that grows in commit order: a client that reconnects with the
last one it saw (\`Last-Event-ID\`, or \`?after=\`) misses nothing. \`?run=\` selects one run, \`?logs=0\` omits log frames.
Progress has no number, because the next progress replaces it. A client that follows a run which has ended gets one \`done\` frame
without a number, with the view of the run.`,
    table(['kind', 'stream frame', 'description'], rows),
    `A kind that is not in this table is sent as a \`log\` frame. A live run is ${LIVE_RUN_STATES.map(inCode).join(', ')}; it ends as exactly one of ${ENDED_RUN_STATES.map(inCode).join(', ')}.`,
    `## An event\n\n${shape(EventView)}`,
    `## Problem and milestone frames

Their data has the fields of the event and, in addition to them, those of what is reported: \`kind\`, such as \`missing-hub\`, \`scope\`, \`target\`,
\`message\`, \`details\`, \`ts\` and \`jobId\`, the number of the run or \`analysis-run\`; for a problem also \`severity\`: \`info\`, \`warn\` or
\`error\`.`,
    `## Progress\n\nThe data of a \`progress\` frame, and of \`pinakes status --json\`.\n\n${shape(RunView)}`,
  );
}

function shape(schema: z.ZodType): string {
  const rows = fieldRows(schema).map(([name = '', value = '', , description = '']) => [name, value, description]);
  return table(['field', 'value', 'description'], rows);
}
