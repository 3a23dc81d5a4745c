// Lists the URLs of a run with how each was found and its outcome.

import { z } from 'zod';
import { OUTCOME_NAMES } from '../core/model/outcome.ts';
import { action } from './action.ts';
import { filteredPage } from './support/filtered-page.ts';
import { RUN_REFERENCE, resolveRun } from './support/resolve.ts';
import { FOUND_BY, openRunUrls } from './support/run-urls.ts';
import { PageCursor } from './support/page-cursor.ts';

export const UrlView = z.object({
  url: z.string(),
  state: z.enum(['queued', 'claimed', 'waiting', 'settled', 'excluded']),
  outcome: z.enum(OUTCOME_NAMES).nullable(),
  reason: z.string().nullable(),
  foundBy: z.string().describe(`${FOUND_BY}; unknown for an earlier run`),
  depth: z.int().describe('Link distance from the start'),
  attempts: z.int(),
});

export type UrlView = z.output<typeof UrlView>;

export const listUrls = action({
  name: 'list_urls',
  summary: 'List the URLs of a run with their outcome',
  effect: 'read',
  input: z.strictObject({
    run: z.string().min(1).describe(RUN_REFERENCE),
    outcome: z.enum(OUTCOME_NAMES).optional().describe('Only URLs with this outcome'),
    reason: z.string().min(1).max(2000).optional().describe('Only URLs with this reason'),
    text: z.string().min(1).max(200).optional().describe('Only URLs that contain this'),
    cursor: PageCursor.optional().describe('`nextCursor` of the previous result'),
    limit: z.int().min(1).max(10_000).default(100).describe('Maximum number of URLs'),
  }),
  output: z.object({ run: z.int(), urls: z.array(UrlView), nextCursor: z.string().nullable() }),
  bindings: {
    cli: {
      command: 'urls',
      group: 'runs',
      positional: ['run'],
      example: 'pinakes urls docs.example.dev --outcome excluded',
    },
    http: { method: 'GET', path: '/runs/{run}/urls' },
  },

  async run({ run: reference, outcome = null, reason = null, text, cursor = null, limit }, { store }) {
    const run = await resolveRun(store, reference);
    const readUrls = await openRunUrls(store, run);
    const read = (from: string | null, batchLimit: number) =>
      readUrls({ outcome, reason, cursor: from, limit: batchLimit });
    const found =
      text === undefined
        ? await read(cursor, limit)
        : await filteredPage(read, ({ url }) => url.toLowerCase().includes(text.toLowerCase()), { cursor, limit });
    const urls = found.items.map(({ url, state, outcome: ended, reason: why, foundBy, depth, attempts }) => {
      return { url, state, outcome: ended, reason: why, foundBy, depth, attempts };
    });
    return { run: run.id, urls, nextCursor: found.nextCursor };
  },
});
