// A library for tests of the index in Qdrant: settles pages, indexes them, and compares the candidates of both engines.

import { queryTerms } from '../../src/core/lexical/query/parsed-query.ts';
import type { CandidatePage, IndexQuery } from '../../src/core/lexical/query/index-query.ts';
import type { SearchFilter } from '../../src/core/lexical/query/search-filter.ts';
import type { PageUrl } from '../../src/core/model/page-url.ts';
import type { VersionId } from '../../src/core/model/run.ts';
import { openNodes } from '../../src/index/qdrant/nodes.ts';
import { createQdrantIndex, type QdrantIndex, type QdrantIndexOptions } from '../../src/index/qdrant/qdrant-index.ts';
import type { CandidateIndex, SearchIndex, TermFrequencies } from '../../src/index/port.ts';
import type { Store } from '../../src/store/port.ts';
import type { Outcome } from '../../src/store/port/frontier.ts';
import type { Source } from '../../src/store/port/sources.ts';
import { claimAll, createRunFixture, createSettlement, indexedOutcome } from './run-fixture.ts';
import type { MadePage } from './zipf-pages.ts';

export async function openQdrantIndex(
  store: Store,
  urls: readonly string[],
  options: Partial<Pick<QdrantIndexOptions, 'timeoutMs' | 'keepReplacedMs' | 'leaseMs'>> = {},
): Promise<QdrantIndex> {
  const nodes = openNodes({ urls, apiKey: undefined });
  const { points: records, changes, history } = store;
  return createQdrantIndex({ nodes, records, changes, history, timeoutMs: 10_000, ...options });
}

/** Adds pages in a separate run; the other pages of a known source stay as they are. */
export async function settlePages(store: Store, pages: readonly MadePage[], source?: Source): Promise<Source> {
  const urls = pages.map(({ url }) => url);
  const fixture = await createRunFixture(store, urls, source);
  const byUrl = new Map(pages.map((page) => [page.url, page]));
  for (;;) {
    const claims = await claimAll(store);
    if (claims.length === 0) break;
    await store.frontier.settle(
      claims.map((claim) => createSettlement(claim, outcomeOf(claim.url, byUrl.get(claim.url)))),
    );
  }
  await store.runs.finish(fixture.lease, 'completed', null);
  return fixture.source;
}

function outcomeOf(url: PageUrl, { texts, title = 'Title', chunk }: Omit<MadePage, 'url'> = { texts: [] }): Outcome {
  const outcome = indexedOutcome(url, ...texts);
  if (outcome.kind !== 'indexed') return outcome;
  const page = { ...outcome.page, title, outline: [{ level: 1, text: title, anchor: null, line: 1 }] };
  return { kind: 'indexed', page, chunks: outcome.chunks.map((one) => ({ ...one, headings: [title], ...chunk })) };
}

export async function indexEverything(index: SearchIndex): Promise<void> {
  while ((await index.index(100)) > 0);
}

export function queryOf(question: string, versions: readonly VersionId[], filter?: SearchFilter): IndexQuery {
  return { versions, terms: queryTerms(question, 0.2), filter, pages: 60, chunksPerPage: 32 };
}

/** Document frequencies of the query's words in some versions, as counted for its weights. */
export function frequenciesOf(
  index: CandidateIndex,
  { versions, terms }: Pick<IndexQuery, 'versions' | 'terms'>,
): Promise<TermFrequencies> {
  return index.frequencies(
    versions,
    terms.map(({ term }) => term),
  );
}

export function urlsOf(pages: readonly CandidatePage[]): string[] {
  return pages.map(({ url }) => url).sort();
}
