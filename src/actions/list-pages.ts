// Lists the pages of a source, one result page at a time.

import { z } from 'zod';
import { PAGE_KINDS } from '../core/model/document.ts';
import { importedFrom, type SourceKind } from '../core/model/provenance.ts';
import type { DescribedPage } from '../store/port/pages.ts';
import { action } from './action.ts';
import { filteredPage } from './support/filtered-page.ts';
import { IsImported } from './support/imported-page.ts';
import { resolveVersion } from './support/resolve.ts';
import { PageCursor } from './support/page-cursor.ts';

export const PageView = z.object({
  url: z.string(),
  title: z.string(),
  mediaType: z.string(),
  language: z.string().nullable(),
  chunks: z.int(),
  pageKind: z
    .string()
    .nullable()
    .describe('article, reference, hub, index, source or other; null if it was not classified'),
  confidence: z.number().nullable().describe('Confidence of the page kind, from 0 to 1'),
  changedAt: z.iso.datetime().describe('When its text last changed'),
  checkedAt: z.iso.datetime().describe('When it was last confirmed current, or imported'),
  isImported: IsImported,
});

export type PageView = z.output<typeof PageView>;

export const listPages = action({
  name: 'list_pages',
  summary: 'List the pages of a source',
  effect: 'read',
  input: z.strictObject({
    source: z.string().min(1).describe('The name of a source'),
    version: z.string().optional().describe('The version; the newest by default'),
    pageKind: z.enum(PAGE_KINDS).optional().describe('Only pages of this kind'),
    confidence: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .describe('Only pages whose kind has at least this confidence, from 0 to 1; above 1 it is a percentage'),
    text: z.string().min(1).max(200).optional().describe('Only pages whose URL or title contains this'),
    cursor: PageCursor.optional().describe('`nextCursor` of the previous result'),
    limit: z.int().min(1).max(10_000).default(100).describe('Maximum number of pages'),
  }),
  output: z.object({
    source: z.string(),
    version: z.string(),
    pages: z.array(PageView),
    nextCursor: z.string().nullable().describe('Pass it as `cursor` for more; null at the end'),
  }),
  bindings: {
    cli: {
      command: 'pages',
      group: 'inspect',
      positional: ['source'],
      example: 'pinakes pages docs.example.dev --limit 20',
    },
    http: { method: 'GET', path: '/sources/{source}/pages' },
  },

  async run({ source: name, version: label, cursor = null, limit, ...filter }, { store }) {
    const { source, version } = await resolveVersion(store, name, label);
    const read = async (from: string | null, batchLimit: number) => {
      const batch = await store.pages.list(version.id, from, batchLimit);
      return { items: batch.pages, nextCursor: batch.after };
    };
    const found = Object.values(filter).every((one) => one === undefined)
      ? await read(cursor, limit)
      : await filteredPage(read, (page) => matchesFilter(page, filter), { cursor, limit });
    return {
      source: source.name,
      version: version.label,
      pages: found.items.map((page) => pageView(page, source.kind)),
      nextCursor: found.nextCursor,
    };
  },
});

interface PageFilter {
  readonly pageKind?: string | undefined;
  readonly confidence?: number | undefined;
  readonly text?: string | undefined;
}

function matchesFilter(page: DescribedPage, { pageKind, confidence = 0, text = '' }: PageFilter): boolean {
  const found = pageKindOf(page);
  if (pageKind !== undefined && found.pageKind !== pageKind) return false;
  if ((found.confidence ?? 0) < (confidence > 1 ? confidence / 100 : confidence)) return false;
  return `${page.url} ${page.title}`.toLowerCase().includes(text.toLowerCase());
}

export function pageView(page: DescribedPage, kind: SourceKind): PageView {
  const { url, title, mediaType, language, chunks, changedAt, checkedAt } = page;
  const times = { changedAt: changedAt.toISOString(), checkedAt: checkedAt.toISOString() };
  return { url, title, mediaType, language, chunks, ...pageKindOf(page), ...times, ...importedFrom(kind, url) };
}

function pageKindOf({ metadata: { pageKind, confidence } }: DescribedPage): Pick<PageView, 'pageKind' | 'confidence'> {
  return {
    pageKind: typeof pageKind === 'string' ? pageKind : null,
    confidence: typeof confidence === 'number' ? confidence : null,
  };
}
