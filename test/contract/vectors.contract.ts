// Store contract: vectors.

import { expect, test } from 'vitest';
import { sha256Hex } from '../../src/core/model/hash.ts';
import { normalize } from '../../src/core/vector/pool-tokens.ts';
import {
  createRunFixture,
  claimAll,
  indexAll,
  indexedOutcome,
  createSettlement,
  WORKER,
} from '../support/run-fixture.ts';
import type { Store } from '../../src/store/port.ts';
import type {
  EmbeddingClaim,
  EmbeddingOutcome,
  EmbeddingSettlement,
  NearestRequest,
  StoredSpace,
} from '../../src/store/port/vectors.ts';

export function vectorsContract(store: () => Store): void {
  test('a text is embedded once for all its pages, and deleted with its last chunk', async () => {
    const { source, lease } = await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/b']);
    await store().frontier.settle(
      (await claimAll(store())).map((claim) =>
        createSettlement(claim, indexedOutcome(claim.url, 'same text', `own ${claim.url}`)),
      ),
    );
    const space = await store().vectors.openSpace('model/1', 2, {});
    expect(await store().vectors.openSpace('model/1', 2, {})).toEqual(space);
    expect(await store().vectors.findSpace('model/1')).toEqual(space);
    expect(await store().vectors.findSpace('model/2')).toBeNull();
    const claims = await store().vectors.claim(space.id, WORKER, 10, 60_000);
    expect(claims.map((claim) => claim.text).sort()).toEqual([
      'own https://x.dev/a',
      'own https://x.dev/b',
      'same text',
    ]);
    expect(await settle(claims, { kind: 'embedded', vector: new Float32Array([1, 0.5]) })).toEqual(
      claims.map(() => 'settled'),
    );
    expect(await settle(claims.slice(0, 1), { kind: 'embedded', vector: new Float32Array([2, 2]) })).toEqual([
      'superseded',
    ]);
    expect(await store().vectors.progress(space.id)).toEqual({ pending: 0, embedded: 3, failed: 0 });
    const same = sha256Hex('same text');
    expect(Array.from((await store().vectors.byContentHash(space.id, [same])).get(same) ?? [])).toEqual([1, 0.5]);

    await store().runs.finish(lease, 'completed', null);
    await createRunFixture(store(), ['https://x.dev/a'], source);
    const [again] = await claimAll(store());
    await store().frontier.settle([createSettlement(again!, indexedOutcome(again!.url, 'other'))]);
    expect((await store().vectors.byContentHash(space.id, [same])).size).toBe(1);
    expect((await store().vectors.byContentHash(space.id, [sha256Hex('own https://x.dev/a')])).size).toBe(0);
    expect((await store().vectors.claim(space.id, WORKER, 10, 60_000)).map((claim) => claim.text)).toEqual(['other']);
  });

  test('a vector computed elsewhere is imported for pending texts of the version', async () => {
    const { source } = await createRunFixture(store(), ['https://x.dev/a']);
    const [page] = await claimAll(store());
    await store().frontier.settle([
      createSettlement(page!, indexedOutcome(page!.url, 'embedded', 'pending', 'claimed')),
    ]);
    const version = source.versions[0]!.id;
    const space = await store().vectors.openSpace('model/imported', 2, {});
    expect(await store().vectors.spaces()).toContainEqual(space);
    const claims = await store().vectors.claim(space.id, WORKER, 10, 60_000);
    const own = new Float32Array([1, 0]);
    await settle([claimOf(claims, 'embedded')], { kind: 'embedded', vector: own });
    await settle([claimOf(claims, 'pending')], { kind: 'released' });
    const external = new Float32Array([0, 1]);
    const imported = ['embedded', 'pending', 'claimed', 'unknown'].map((text) => ({
      contentHash: sha256Hex(text),
      vector: external,
    }));
    expect(await store().vectors.importVectors(space.id, (version + 1) as typeof version, imported)).toBe(0);
    expect(await store().vectors.importVectors(space.id, version, imported)).toBe(2);
    expect(await store().vectors.importVectors(space.id, version, imported)).toBe(0);
    expect(await settle([claimOf(claims, 'claimed')], { kind: 'embedded', vector: own })).toEqual(['superseded']);
    const texts = ['embedded', 'pending', 'claimed'].map((text) => sha256Hex(text));
    const stored = await store().vectors.byContentHash(space.id, texts);
    expect(texts.map((text) => Array.from(stored.get(text) ?? []))).toEqual([
      [1, 0],
      [0, 1],
      [0, 1],
    ]);
    expect(await store().verify()).toEqual([]);
  });

  test('a failed text is not pending, a retried one is, and an expired lease requeues one', async () => {
    const space = await spaceWith('bad', 'slow');
    const claims = await store().vectors.claim(space.id, WORKER, 10, -1);
    const [bad, slow] = [claimOf(claims, 'bad'), claimOf(claims, 'slow')];
    expect(await settle([bad], { kind: 'failed', reason: 'too long' })).toEqual(['settled']);
    const [again] = await store().vectors.claim(space.id, WORKER, 10, 60_000);
    expect(again).toMatchObject({ text: 'slow', attempts: 2 });
    const vector = new Float32Array([1, 0]);
    const late: EmbeddingSettlement = { claim: slow, outcome: { kind: 'embedded', vector } };
    const current: EmbeddingSettlement = { claim: again!, outcome: { kind: 'retry', inMs: -1, reason: 'busy' } };
    expect(await store().vectors.settle([late, current])).toEqual(['superseded', 'settled']);
    expect((await store().vectors.byContentHash(space.id, [slow.contentHash])).size).toBe(0);
    const released = await store().vectors.claim(space.id, WORKER, 10, 60_000);
    expect(released).toMatchObject([{ text: 'slow', attempts: 3 }]);
    expect(await settle(released, { kind: 'released' })).toEqual(['settled']);
    expect(await store().vectors.claim(space.id, WORKER, 10, 60_000)).toMatchObject([{ text: 'slow', attempts: 3 }]);
  });

  test('a claimed text has its headings, unless they differ', async () => {
    await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/b']);
    const pages = await claimAll(store());
    await store().frontier.settle(
      pages.map((claim, i) => {
        const outcome = indexedOutcome(claim.url, 'shared', `own ${i}`);
        if (outcome.kind !== 'indexed') throw new Error('expected an indexed page');
        return createSettlement(claim, {
          ...outcome,
          chunks: outcome.chunks.map((chunk) => ({ ...chunk, headings: [`Page ${i}`] })),
        });
      }),
    );
    const space = await store().vectors.openSpace('model/1', 2, {});
    const claims = await store().vectors.claim(space.id, WORKER, 10, 60_000);
    expect(claims.map(({ text, headings }) => ({ text, headings })).sort((a, b) => (a.text < b.text ? -1 : 1))).toEqual(
      [
        { text: 'own 0', headings: ['Page 0'] },
        { text: 'own 1', headings: ['Page 1'] },
        { text: 'shared', headings: [] },
      ],
    );
  });

  test('the nearest chunks are found, in the right space and only existing ones', async () => {
    const { source, lease } = await createRunFixture(store(), ['https://x.dev/a', 'https://x.dev/b']);
    const [a, b] = (await claimAll(store())).toSorted((one, other) => (one.url < other.url ? -1 : 1));
    await store().frontier.settle([
      createSettlement(a!, indexedOutcome(a!.url, 'east', 'north')),
      createSettlement(b!, indexedOutcome(b!.url, 'west', 'north east')),
    ]);
    if (!(await canSearch())) return;
    const space = await store().vectors.openSpace('compass/1', 2, {});
    await indexAll(store());
    await embedAll(space);
    const other = await store().vectors.openSpace('compass/2', 2, {});
    const request = {
      space: space.id,
      vector: direction('east'),
      versions: [source.versions[0]!.id],
      filter: {},
      limit: 2,
    };
    const nearest = await store().vectors.nearest(request);
    expect(nearest.map(({ chunk }) => chunk.text)).toEqual(['east', 'north east']);
    expect(nearest[0]).toMatchObject({ source: source.id, chunk: { page: { url: 'https://x.dev/a' } } });
    expect(nearest.map(({ similarity }) => similarity.toFixed(3))).toEqual(['1.000', '0.707']);
    expect(await store().vectors.nearest({ ...request, space: other.id })).toEqual([]);
    expect(await store().vectors.nearest({ ...request, versions: [] })).toEqual([]);
    expect((await textsOf({ ...request, filter: { pathPrefix: 'https://x.dev/b' } })).sort()).toEqual([
      'north east',
      'west',
    ]);
    expect(await textsOf({ ...request, filter: { passageKinds: ['code'] } })).toEqual([]);

    await store().runs.finish(lease, 'completed', null);
    await createRunFixture(store(), ['https://x.dev/a'], source);
    const [again] = await claimAll(store());
    await store().frontier.settle([createSettlement(again!, indexedOutcome(again!.url, 'west', 'south east'))]);
    await indexAll(store());
    expect(await textsOf({ ...request, limit: 9 })).toEqual(['north east', 'west', 'west']);
    await embedAll(space);
    expect(await textsOf({ ...request, limit: 9 })).toEqual(['north east', 'south east', 'west', 'west']);
  });

  const PATHS: ReadonlyArray<readonly [path: string, pages: number]> = [
    ['guide/', 1],
    ['/guide two/', 1],
    ['file:///guide/', 1],
    ['/topics', 2],
    ['topics/a', 1],
    ['/en/topics', 1],
    ['https://x.dev/en/', 1],
    ['/other', 0],
  ];

  test('a path filter admits the same pages for terms and vectors, files and sites (finding B14)', async () => {
    const { source } = await createRunFixture(store(), [
      'file:///guide/a.md',
      'file:///guide%20two/b.md',
      'https://x.dev/en/topics/a',
      'https://y.dev/topics/b',
    ]);
    await store().frontier.settle(
      (await claimAll(store())).map((claim) => createSettlement(claim, indexedOutcome(claim.url, `east ${claim.url}`))),
    );
    await indexAll(store());
    const versions = source.versions.map(({ id }) => id);
    const filterBy = (pathPrefix: string) => ({ pathPrefix, pathBases: ['x.dev/en/'] });
    for (const [path, pages] of PATHS)
      expect(await store().segments.positionsMatching(versions, filterBy(path)), path).toHaveLength(pages);
    if (!(await canSearch())) return;
    const space = await store().vectors.openSpace('compass/1', 2, {});
    await embedAll(space);
    const request = { space: space.id, vector: direction('east'), versions, limit: 9 };
    for (const [path, pages] of PATHS)
      expect(await textsOf({ ...request, filter: filterBy(path) }), path).toHaveLength(pages);
  });

  async function canSearch(): Promise<boolean> {
    try {
      await store().vectors.requireSearch();
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'embed.unsupported' });
      return false;
    }
  }

  async function spaceWith(...texts: string[]): Promise<StoredSpace> {
    await createRunFixture(store(), ['https://x.dev/a']);
    const [page] = await claimAll(store());
    await store().frontier.settle([createSettlement(page!, indexedOutcome(page!.url, ...texts))]);
    return store().vectors.openSpace('model/1', 2, {});
  }

  function settle(claims: readonly EmbeddingClaim[], outcome: EmbeddingOutcome) {
    return store().vectors.settle(claims.map((claim) => ({ claim, outcome })));
  }

  async function embedAll(space: StoredSpace): Promise<void> {
    const claims = await store().vectors.claim(space.id, WORKER, 100, 60_000);
    await store().vectors.settle(
      claims.map((claim) => ({ claim, outcome: { kind: 'embedded', vector: direction(claim.text) } })),
    );
  }

  async function textsOf(request: NearestRequest): Promise<string[]> {
    return (await store().vectors.nearest(request)).map(({ chunk }) => chunk.text);
  }
}

function claimOf(claims: readonly EmbeddingClaim[], text: string): EmbeddingClaim {
  const found = claims.find((claim) => claim.text === text);
  if (found === undefined) throw new Error(`${text} was not claimed`);
  return found;
}

/** The text names its direction. */
function direction(text: string): Float32Array {
  const has = (word: string): number => Number(text.includes(word));
  return normalize(new Float32Array([has('east') - has('west'), has('north') - has('south')]));
}
