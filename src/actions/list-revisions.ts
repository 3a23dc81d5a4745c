// Shows the revisions of a page and their differences. Only the newest few are stored, so the list is short. Of a page that was
// removed it shows when, and its last text.

import { z } from 'zod';
import type { LineDiff } from '../core/diff/line-diff.ts';
import { pinakesError } from '../core/model/errors.ts';
import type { PageUrl } from '../core/model/page-url.ts';
import type { VersionId } from '../core/model/run.ts';
import type { Store } from '../store/port.ts';
import { action } from './action.ts';
import { PAGE_REFERENCE, referredUrls, resolveVersion } from './support/resolve.ts';

const MAX_DIFF_LINES = 500;

const Diff = z.object({
  added: z.int().describe('Lines'),
  removed: z.int(),
  isTruncated: z.boolean().describe('More lines changed than are shown'),
  hunks: z.array(
    z.object({
      before: z.int().describe('First line in the old text'),
      after: z.int().describe('First line in the new text'),
      lines: z.array(z.object({ kind: z.enum(['same', 'added', 'removed']), text: z.string() })),
    }),
  ),
});

const RevisionDiff = z.object({
  at: z.iso.datetime().describe('When the new text was fetched'),
  since: z.iso.datetime().describe('When the old text was fetched'),
  hashBefore: z.string(),
  hashAfter: z.string(),
  isReprocessed: z
    .boolean()
    .describe('Another version of the extractor or chunker produced the text, so the site did not change all of it'),
  diff: Diff.nullable().describe('Null if a text was too long to store'),
});

export type RevisionDiff = z.output<typeof RevisionDiff>;

const Removed = z.object({
  at: z.iso.datetime().describe('When it was removed'),
  since: z.iso.datetime().describe('When its last text was fetched'),
  title: z.string(),
  text: z.string().nullable().describe('Its last text; null if it was too long to store'),
});

export const listRevisions = action({
  name: 'list_revisions',
  summary: 'Show how a page changed, newest first',
  effect: 'read',
  input: z.strictObject(PAGE_REFERENCE),
  output: z.object({
    url: z.string(),
    changes: z.array(RevisionDiff),
    removed: Removed.nullable().describe('If the page was removed: when, and its last text; null if it is stored'),
  }),
  bindings: {
    cli: {
      command: 'revisions',
      group: 'inspect',
      positional: ['source', 'url'],
      example: 'pinakes revisions docs.example.dev https://docs.example.dev/guide',
    },
    http: { method: 'GET', path: '/sources/{source}/page/revisions' },
  },

  async run(reference, { store }) {
    const { source, version } = await resolveVersion(store, reference.source, reference.version);
    const urls = referredUrls(reference.url, source.startUrl);
    const page = await firstFound(urls, (url) => store.pages.get(version.id, url));
    if (page === null) return removedPage(store, version.id, urls);
    const { lineDiff } = await import('../core/diff/line-diff.ts');
    const earlier = await store.pages.revisions(version.id, page.url);
    const changes = earlier.map((before, at): RevisionDiff => {
      const after = earlier[at - 1] ?? page;
      return {
        at: before.until.toISOString(),
        since: before.since.toISOString(),
        hashBefore: before.contentHash,
        hashAfter: after.contentHash,
        isReprocessed: before.pipelineVersion !== after.pipelineVersion,
        diff:
          before.text === null || after.text === null
            ? null
            : diffView(lineDiff(before.text, after.text, MAX_DIFF_LINES)),
      };
    });
    return { url: page.url, changes, removed: null };
  },
});

/** Raises `page.unknown` if it is not known that there was such a page. */
async function removedPage({ pages }: Store, version: VersionId, urls: readonly PageUrl[]) {
  const found = await firstFound(urls, async (url) => {
    const removed = await pages.removed(version, url);
    return removed && { ...removed, url };
  });
  if (found === null) throw pinakesError('page.unknown', { page: urls.at(-1) ?? '' });
  const { url, removedAt, since, title, text } = found;
  return { url, changes: [], removed: { at: removedAt.toISOString(), since: since.toISOString(), title, text } };
}

async function firstFound<Found>(
  urls: readonly PageUrl[],
  find: (url: PageUrl) => Promise<Found | null>,
): Promise<Found | null> {
  for (const url of urls) {
    const found = await find(url);
    if (found !== null) return found;
  }
  return null;
}

function diffView({ hunks, ...counts }: LineDiff): z.output<typeof Diff> {
  return {
    ...counts,
    hunks: hunks.map(({ before, after, lines }) => ({ before, after, lines: lines.map((line) => ({ ...line })) })),
  };
}
