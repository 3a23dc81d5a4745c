// Lists the audit log, newest first.

import { z } from 'zod';
import { action } from './action.ts';
import { Cursors, cursorsOf, rangeFields, rangeOf } from './support/list-range.ts';

const AuditView = z.object({
  id: z.int().describe('Increases with every entry'),
  at: z.iso.datetime(),
  principal: z.string().nullable().describe('The name of a token; null for the owner of the library'),
  via: z.enum(['http', 'mcp', 'local']),
  action: z.string(),
  source: z.string().nullable().describe('The source that the call named, which may not exist'),
  outcome: z.string().describe('`ok`, or the code of the error'),
  requestId: z.string().nullable().describe('The id of the request in the log and in `x-request-id`'),
  query: z.string().nullable().describe('The text of a search, if `audit.queries` is on'),
});

export const listAudit = action({
  name: 'list_audit',
  summary: 'List the audit log: who called what, with the outcome, newest first',
  effect: 'admin',
  input: z.strictObject({
    principal: z.string().min(1).optional().describe('Only calls with the token of this name'),
    action: z.string().min(1).optional().describe('Only calls of this action'),
    source: z.string().min(1).optional().describe('Only calls that named this source'),
    outcome: z.string().min(1).optional().describe('Only calls with this outcome: `ok`, or the code of an error'),
    ...rangeFields('entries', { limit: 100, max: 1000 }),
  }),
  output: z.object({ entries: z.array(AuditView).describe('Newest first'), cursors: Cursors }),
  bindings: {
    cli: { command: 'audit', group: 'serve', positional: [], example: 'pinakes audit --principal laptop' },
    http: { method: 'GET', path: '/audit' },
  },

  async run({ principal = null, action: name = null, source = null, outcome = null, ...range }, { store }) {
    const found = await store.audit.list({ principal, action: name, source, outcome, ...rangeOf(range) });
    const entries = found.map(({ at, ...entry }) => ({ ...entry, at: at.toISOString() }));
    return { entries, cursors: cursorsOf(entries, ({ id }) => id, range) };
  },
});
