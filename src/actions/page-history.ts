// What a page said before, and what changed each time. The newest few texts are kept, so the list is short.

import { z } from 'zod';
import { lineDiff, type LineDiff } from '../core/diff/line-diff.ts';
import { action } from './action.ts';
import { onePage, WHICH_PAGE } from './support/resolve.ts';

const MOST_LINES = 500;

const Diff = z.object({
  added: z.int().describe('Lines'),
  removed: z.int(),
  isCut: z.boolean().describe('More changed than is shown'),
  hunks: z.array(
    z.object({
      before: z.int().describe('First line in the text before'),
      after: z.int().describe('First line in the text after'),
      lines: z.array(z.object({ kind: z.enum(['same', 'added', 'removed']), text: z.string() })),
    }),
  ),
});

const PageChange = z.object({
  at: z.iso.datetime().describe('When the new text was found'),
  since: z.iso.datetime().describe('When the text before had been found'),
  hashBefore: z.string(),
  hashAfter: z.string(),
  isRemade: z
    .boolean()
    .describe("Another version of the extractor or chunker made the text, so not all of it is the site's"),
  diff: Diff.nullable().describe('Null where a text was too long to keep'),
});

export type PageChange = z.output<typeof PageChange>;

export const pageHistory = action({
  name: 'page_history',
  summary: 'Show how a page changed, newest first',
  effect: 'read',
  input: z.strictObject(WHICH_PAGE),
  output: z.object({ url: z.string(), changes: z.array(PageChange) }),
  doors: {
    cli: {
      command: 'history',
      positional: ['source', 'url'],
      example: 'pinakes history docs.example.dev https://docs.example.dev/guide',
    },
    http: { method: 'GET', path: '/sources/{source}/page/history' },
  },

  async run(asked, { store }) {
    const { version, page } = await onePage(store, asked);
    const earlier = await store.pages.earlier(version.id, page.url);
    const changes = earlier.map((before, at): PageChange => {
      const after = earlier[at - 1] ?? page;
      return {
        at: before.until.toISOString(),
        since: before.since.toISOString(),
        hashBefore: before.contentHash,
        hashAfter: after.contentHash,
        isRemade: before.madeBy !== after.madeBy,
        diff:
          before.text === null || after.text === null ? null : diffOf(lineDiff(before.text, after.text, MOST_LINES)),
      };
    });
    return { url: page.url, changes };
  },
});

function diffOf({ hunks, ...counts }: LineDiff): z.output<typeof Diff> {
  return {
    ...counts,
    hunks: hunks.map(({ before, after, lines }) => ({ before, after, lines: lines.map((line) => ({ ...line })) })),
  };
}
