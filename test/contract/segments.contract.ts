// Store contract: the segments of the built-in search engine. What every engine owes is in search-index.contract.ts.

import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRunFixture, claimAll, indexAll, indexedOutcome, createSettlement } from '../support/run-fixture.ts';
import { createSegmentCandidates } from '../../src/core/lexical/query/segment-candidates.ts';
import type { FoundChunk, IndexReader } from '../../src/core/lexical/query/index-reader.ts';
import type { SearchFilter } from '../../src/core/lexical/query/search-filter.ts';
import { tokenize } from '../../src/core/lexical/tokenize/tokenize.ts';
import type { VersionId } from '../../src/core/model/run.ts';
import { answerPassages } from '../../src/core/answer/answer-passages.ts';
import { retrievePages } from '../../src/core/rank/lexical-retrieval.ts';
import { createSegmentIndex } from '../../src/index/segments/segment-index.ts';
import type { Store } from '../../src/store/port.ts';

export function segmentsContract(store: () => Store): void {
  test('pages of one version are indexed, whatever the queue of others holds (finding B12)', async () => {
    const { run } = await createRunFixture(store(), ['https://x.dev/a']);
    const other = await createRunFixture(store(), ['https://x.dev/a']);
    expect(await store().segments.isIndexed(run.version)).toBe(true);
    const claims = await claimAll(store());
    const [own] = claims.filter((claim) => claim.run === run.id);
    await store().frontier.settle([createSettlement(own!, indexedOutcome(own!.url, 'about zebras'))]);
    expect(await store().segments.isIndexed(run.version)).toBe(false);
    expect(await store().segments.isIndexed(other.run.version)).toBe(true);
    await indexAll(store());
    expect(await store().segments.isIndexed(run.version)).toBe(true);
  });

  test('many small segments are merged into few, and every page is still found once', async () => {
    const urls = Array.from({ length: 24 }, (_, i) => `https://x.dev/${i}`);
    const { run } = await createRunFixture(store(), urls);
    for (const claim of await claimAll(store())) {
      await store().frontier.settle([
        createSettlement(claim, indexedOutcome(claim.url, `common words of ${claim.url}`, 'more common')),
      ]);
      await indexAll(store());
    }
    expect(await store().segments.compact(10_000)).toBe(true);
    const segments = await store().segments.segments([run.version]);
    expect(segments.length).toBeLessThan(8);
    const pages = (await findChunks(store(), run.version, ['common'])).map((hit) => hit.chunk.page.url);
    expect(pages.toSorted()).toEqual([...urls, ...urls].toSorted());
    expect(await store().verify()).toEqual([]);
  });

  test.each(['pagesAt', 'passages'] as const)(
    'a search that meets a compaction before %s finds everything',
    async (step) => {
      const urls = Array.from({ length: 16 }, (_, nth) => `https://x.dev/${nth}`);
      const { run, source } = await createRunFixture(store(), urls);
      for (const claim of await claimAll(store())) {
        await store().frontier.settle([createSettlement(claim, indexedOutcome(claim.url, `zebra ${claim.url}`))]);
        await store().segments.index(1);
      }
      const { segments, chunks } = store();
      let isCompacted = false;
      const compact = async (): Promise<void> => {
        if (!isCompacted) for (let round = 0; round < 8; round += 1) await segments.compact(0);
        isCompacted = true;
      };
      const compacting: IndexReader = {
        ...createSegmentCandidates({
          ...segments,
          pagesAt: async (positions) => {
            if (step === 'pagesAt') await compact();
            return segments.pagesAt(positions);
          },
        }),
        ...chunks,
        passages: async (locations) => {
          if (step === 'passages') await compact();
          return chunks.passages(locations);
        },
      };
      const names = new Map([[source.id, source.name]]);
      const results = await retrievePages(compacting, 'zebra', { versions: [run.version], names });
      expect(results.pages).toHaveLength(16);
      const limits = { sources: [source], budget: 4000, limit: 8, offset: 0, explain: false };
      const { passages } = await answerPassages(compacting, results, limits);
      expect(isCompacted).toBe(true);
      expect(passages).toHaveLength(8);
    },
  );

  test('pages that are indexed again are found as before', async () => {
    const { run } = await createRunFixture(store(), ['https://x.dev/a']);
    const [claim] = await claimAll(store());
    await store().frontier.settle([createSettlement(claim!, indexedOutcome(claim!.url, 'zebras'))]);
    await indexAll(store());
    expect(await store().segments.queueAgeMs()).toBe(0);
    await store().segments.reindex(run.version);
    expect(await store().segments.queueLength()).toBe(1);
    await wait(20);
    expect(await store().segments.queueAgeMs()).toBeGreaterThan(9);
    expect(await findChunks(store(), run.version, ['zebra'])).toHaveLength(1);
    await indexAll(store());
    expect(await findChunks(store(), run.version, ['zebra'])).toHaveLength(1);
    expect(await store().verify()).toEqual([]);
  });
}

/** Every current chunk that contains one of the words and passes the filter. */
export async function findChunks(
  store: Store,
  version: VersionId,
  words: readonly string[],
  filter?: SearchFilter,
): Promise<readonly FoundChunk[]> {
  const terms = words.flatMap((word) => tokenize(word)).map((term) => ({ term, weight: 1 }));
  const query = { versions: [version], terms, filter, pages: 10_000, chunksPerPage: 1000 };
  const pages = await createSegmentIndex(store.segments).candidates(query);
  const locations = pages.flatMap(({ url, chunks }) => chunks.map(({ ordinal }) => ({ version, url, ordinal })));
  return store.chunks.chunks(locations);
}
