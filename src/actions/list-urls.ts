// Every URL that a run knows, with how it was found and how it ended.

import { z } from 'zod';
import { OUTCOME_NAMES } from '../core/model/outcome.ts';
import { action } from './action.ts';
import { oneRun, WHICH_RUN } from './one-run.ts';
import { siftedList } from './support/filtered-page.ts';

export const UrlView = z.object({
  url: z.string(),
  state: z.enum(['queued', 'claimed', 'waiting', 'settled', 'refused']),
  outcome: z.enum(OUTCOME_NAMES).nullable(),
  reason: z.string().nullable(),
  foundBy: z.string().describe('seed, llms-txt, llms-full, sitemap, link or known'),
  depth: z.int().describe('Links away from the start'),
  attempts: z.int(),
});

export type UrlView = z.output<typeof UrlView>;

export const listUrls = action({
  name: 'list_urls',
  summary: 'List the URLs of a run with their outcome',
  effect: 'read',
  input: z.strictObject({
    run: z.string().min(1).describe(WHICH_RUN),
    outcome: z.enum(OUTCOME_NAMES).optional().describe('Only URLs that ended so'),
    reason: z.string().min(1).max(2000).optional().describe('Only URLs that ended for this reason'),
    text: z.string().min(1).max(200).optional().describe('Only URLs with this in them'),
    after: z
      .string()
      .regex(/^[\da-f]{32}$/)
      .optional()
      .describe('Where the list goes on, from the answer before'),
    limit: z.int().min(1).max(10_000).default(100).describe('How many to show'),
  }),
  output: z.object({ run: z.int(), urls: z.array(UrlView), after: z.string().nullable() }),
  doors: {
    cli: { command: 'urls', positional: ['run'], example: 'pinakes urls docs.example.dev --outcome refused' },
    http: { method: 'GET', path: '/runs/{run}/urls' },
  },

  async run({ run: named, outcome = null, reason = null, text, after = null, limit }, { store }) {
    const run = await oneRun(store, named);
    const read = async (from: string | null, most: number) => {
      const part = await store.frontier.urls(run.id, { outcome, reason, after: from, limit: most });
      return { items: part.urls, after: part.after };
    };
    const found =
      text === undefined
        ? await read(after, limit)
        : await siftedList(read, ({ url }) => url.toLowerCase().includes(text.toLowerCase()), { after, limit });
    const urls = found.items.map(({ url, state, outcome: ended, reason: why, foundBy, depth, attempts }) => {
      return { url, state, outcome: ended, reason: why, foundBy, depth, attempts };
    });
    return { run: run.id, urls, after: found.after };
  },
});
