// Lists what changed in the library, in the order of the commits: what a program follows to keep its own copy.

import { z } from 'zod';
import type { FeedItem } from '../library/change-feed.ts';
import { action } from './action.ts';

const POSITION = 'Where to continue after it: pass it as `since`';

export const PageChange = z.object({
  kind: z
    .enum(['listed', 'new', 'changed', 'removed'])
    .describe('`listed` is a page that is there, before the changes begin'),
  position: z.string().describe(POSITION),
  revision: z.int().describe('Greater with each change; a lower one of the same page is older'),
  at: z.iso.datetime(),
  source: z.string().describe('The name of its source'),
  version: z.string().describe('The version of the source; empty if it has none'),
  versionId: z.int().describe('Stays the same when the source is renamed'),
  url: z.string(),
  added: z.array(z.string()).describe('Ids of chunks that the page has now'),
  removed: z.array(z.string()).describe('Ids of chunks that it no longer has'),
});

const ListEnd = z.object({
  kind: z.literal('list-end').describe('Everything was listed: a page that was not is no longer there'),
  position: z.string().describe(POSITION),
});

export const ChangeView = z.discriminatedUnion('kind', [PageChange, ListEnd]);

export type ChangeView = z.output<typeof ChangeView>;

/** A proxy may end a request that is silent for longer. */
export const MAX_WAIT_SECONDS = 60;

export const listChanges = action({
  name: 'list_changes',
  summary: 'List pages and chunks that are new, changed or removed',
  effect: 'read',
  input: z.strictObject({
    since: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Only changes after this position; `now` for the newest one. By default every page is listed first'),
    source: z.string().min(1).optional().describe('Only changes of this source'),
    limit: z.int().min(1).max(1000).default(100).describe('Maximum number of changes'),
    wait: z
      .number()
      .min(0)
      .max(MAX_WAIT_SECONDS)
      .default(0)
      .describe('Seconds to wait for the next change if there is none'),
  }),
  output: z.object({
    changes: z.array(ChangeView).describe('In the order of the commits'),
    position: z.string().describe('Where to continue: pass it as `since`'),
    hasMore: z.boolean().describe('Whether there are more changes already'),
  }),
  bindings: {
    cli: {
      command: 'changes',
      group: 'inspect',
      flags: ['follow'],
      positional: [],
      example: 'pinakes changes --since now --follow --json',
    },
    http: { method: 'GET', path: '/changes' },
  },

  async run({ since = null, source = null, limit, wait }, { store, signal }) {
    const { awaitFeed } = await import('../library/change-feed.ts');
    const { items, position, hasMore } = await awaitFeed(store.changes, { since, source, limit }, wait * 1000, signal);
    return { changes: items.map(changeView), position, hasMore };
  },
});

function changeView(item: FeedItem): ChangeView {
  if (item.kind === 'list-end') return item;
  return { ...item, at: item.at.toISOString(), added: [...item.added], removed: [...item.removed] };
}
