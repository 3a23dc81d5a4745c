// The pages of a source, one part after the other.

import { z } from 'zod';
import { PAGE_KINDS } from '../core/model/page-kind-names.ts';
import type { ListedPage } from '../store/port.ts';
import { action } from './action.ts';
import { oneVersion } from './one-version.ts';
import { siftedList } from './support/filtered-page.ts';

export const PageView = z.object({
  url: z.string(),
  title: z.string(),
  mediaType: z.string(),
  language: z.string().nullable(),
  chunks: z.int(),
  kind: z
    .string()
    .nullable()
    .describe('What it is for: article, reference, hub, index or other; null where nobody looked'),
  confidence: z.number().nullable().describe('How sure that is, from 0 to 1'),
  changedAt: z.iso.datetime().describe('When its text last changed'),
  checkedAt: z.iso.datetime().describe('When it was last found current'),
});

export type PageView = z.output<typeof PageView>;

export const listPages = action({
  name: 'list_pages',
  summary: 'List the pages of a source',
  effect: 'read',
  input: z.strictObject({
    source: z.string().min(1).describe('The name of a source'),
    version: z.string().optional().describe('The version; the newest unless given'),
    kind: z.enum(PAGE_KINDS).optional().describe('Only pages of this kind'),
    confidence: z.number().min(0).max(1).optional().describe('Only pages whose kind is at least so sure'),
    text: z.string().min(1).max(200).optional().describe('Only pages with this in their URL or title'),
    after: z
      .string()
      .regex(/^[\da-f]{32}$/)
      .optional()
      .describe('Where the list goes on, from the answer before'),
    limit: z.int().min(1).max(10_000).default(100).describe('How many to show'),
  }),
  output: z.object({
    source: z.string(),
    version: z.string(),
    pages: z.array(PageView),
    after: z.string().nullable(),
  }),
  doors: {
    cli: { command: 'pages', positional: ['source'], example: 'pinakes pages docs.example.dev --limit 20' },
    http: { method: 'GET', path: '/sources/{source}/pages' },
  },

  async run({ source: name, version: label, after = null, limit, ...wish }, { store }) {
    const { source, version } = await oneVersion(store, name, label);
    const read = async (from: string | null, most: number) => {
      const part = await store.pages.list(version.id, from, most);
      return { items: part.pages, after: part.after };
    };
    const found = Object.values(wish).every((one) => one === undefined)
      ? await read(after, limit)
      : await siftedList(read, (page) => isWanted(page, wish), { after, limit });
    return { source: source.name, version: version.label, pages: found.items.map(pageView), after: found.after };
  },
});

interface Wish {
  readonly kind?: string | undefined;
  readonly confidence?: number | undefined;
  readonly text?: string | undefined;
}

function isWanted(page: ListedPage, { kind, confidence = 0, text = '' }: Wish): boolean {
  const found = kindOf(page);
  if (kind !== undefined && found.kind !== kind) return false;
  if ((found.confidence ?? 0) < confidence) return false;
  return `${page.url} ${page.title}`.toLowerCase().includes(text.toLowerCase());
}

export function pageView(page: ListedPage): PageView {
  const { url, title, mediaType, language, chunks, changedAt, checkedAt } = page;
  const times = { changedAt: changedAt.toISOString(), checkedAt: checkedAt.toISOString() };
  return { url, title, mediaType, language, chunks, ...kindOf(page), ...times };
}

function kindOf({ facts: { kind, confidence } }: ListedPage): Pick<PageView, 'kind' | 'confidence'> {
  return {
    kind: typeof kind === 'string' ? kind : null,
    confidence: typeof confidence === 'number' ? confidence : null,
  };
}
