// Pages that differ in everything a filter looks at, and filters for all of it. The same on every run.

import type { CandidateIndex } from '../../../src/core/lexical/query/index-query.ts';
import { matchesFilter, type SearchFilter } from '../../../src/core/lexical/query/search-filter.ts';
import { PASSAGE_KINDS, type Chunk } from '../../../src/core/model/chunk.ts';
import { PAGE_KINDS } from '../../../src/core/model/document.ts';
import { fileKindOf } from '../../../src/core/files/file-kind.ts';
import type { PageUrl } from '../../../src/core/model/page-url.ts';
import type { VersionId } from '../../../src/core/model/run.ts';
import type { Outcome } from '../../../src/store/port/frontier.ts';
import { indexedOutcome } from '../../support/run-fixture.ts';

const MEDIA_TYPES = [
  'text/html; charset=utf-8',
  'text/markdown',
  'application/json',
  'text/javascript',
  'text/plain',
  'image/png',
  'application/octet-stream',
];
const HEADINGS = ['Connection pool', 'connecting', 'Überblick', '接続', 'API', 'Options', ''];
const SYMBOLS = [null, 'fs.readFile', 'Pool#connect', 'std::vec::Vec', 'überladen', null, 'connect'];

export type VariedPage = Extract<Outcome, { kind: 'indexed' }>;

export function variedUrls(count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const folder = ['guide', 'api/v1', 'api/v2', 'a%20b'][at % 4] ?? '';
    return `https://x.dev/docs/${folder}/${at}`;
  });
}

/** Every chunk contains `zebra`. */
export function variedPage(url: string): VariedPage {
  const at = Number(url.split('/').at(-1));
  const texts = Array.from({ length: 1 + (at % 6) }, (_, chunk) => `zebra ${chunk} of page ${at}`);
  const outcome = indexedOutcome(url as PageUrl, ...texts);
  if (outcome.kind !== 'indexed') throw new Error('not a page');
  const pageKind = PAGE_KINDS[at % (PAGE_KINDS.length + 1)];
  return {
    ...outcome,
    page: {
      ...outcome.page,
      mediaType: MEDIA_TYPES[at % MEDIA_TYPES.length] ?? '',
      metadata: pageKind === undefined ? {} : { pageKind },
    },
    chunks: outcome.chunks.map((chunk, ordinal): Chunk => {
      const nth = at * 3 + ordinal;
      const headings = ['Title', HEADINGS[nth % HEADINGS.length] ?? '', HEADINGS[(nth * 5) % 6] ?? ''];
      const passageKind = PASSAGE_KINDS[nth % PASSAGE_KINDS.length] ?? 'prose';
      return { ...chunk, passageKind, headings: headings.slice(0, 1 + (nth % 3)), symbol: SYMBOLS[nth % 7] ?? null };
    }),
  };
}

export const variedFilters: readonly SearchFilter[] = [
  {},
  { pathPrefix: '/docs/guide/' },
  { pathPrefix: 'api/v1/1', pathBases: ['x.dev/docs/'] },
  { pathPrefix: '/docs/a b/' },
  { pathPrefix: 'https://x.dev/docs/api/v2/' },
  { pathPrefix: '/nowhere' },
  { passageKinds: ['code'] },
  { passageKinds: ['prose', 'image'] },
  { pageKinds: ['reference'] },
  { pageKinds: ['article', 'hub'] },
  { fileKinds: ['json'] },
  { fileKinds: ['html', 'unknown'] },
  { headingPrefix: 'connect' },
  { headingPrefix: 'ÜBER' },
  { headingPrefix: '接' },
  { headingPrefix: '' },
  { headingPrefix: 'connection pools' },
  { symbolPrefix: 'Connect' },
  { symbolPrefix: 'vec' },
  { symbolPrefix: 'fs.read' },
  { symbolPrefix: '' },
  { pathPrefix: '/docs/api/', pageKinds: ['article', 'reference'], passageKinds: ['code', 'table'] },
  { fileKinds: ['markdown'], headingPrefix: 'con', symbolPrefix: 'pool' },
];

export function pageKindOf({ metadata }: VariedPage['page']): string | null {
  const { pageKind } = metadata;
  return typeof pageKind === 'string' ? pageKind : null;
}

/** As `url ordinal`, by comparing every chunk. */
export function chunksPassing(
  urls: readonly string[],
  filter: SearchFilter,
  pageOf: (url: string) => VariedPage = variedPage,
): string[] {
  const passing = urls.flatMap((url) => {
    const { page, chunks } = pageOf(url);
    const target = { path: url, pageKind: pageKindOf(page), fileKind: fileKindOf(page.mediaType) };
    return chunks.flatMap((chunk, ordinal) =>
      matchesFilter(filter, { ...target, chunk }) ? [`${url} ${ordinal}`] : [],
    );
  });
  return passing.sort();
}

/** The same from an index. */
export async function chunksFound(index: CandidateIndex, version: VersionId, filter: SearchFilter): Promise<string[]> {
  const terms = [{ term: 'zebra', weight: 1 }];
  const pages = await index.candidates({ versions: [version], terms, filter, pages: 1000, chunksPerPage: 100 });
  return pages.flatMap(({ url, chunks }) => chunks.map(({ ordinal }) => `${url} ${ordinal}`)).sort();
}
