// Store contract: the generations of an external index, and the queue of versions to index in each.

import { expect, test } from 'vitest';
import { sha256Hex } from '../../src/core/model/hash.ts';
import { INDEX_PARTS, type IndexPart } from '../../src/ports/index-parts.ts';
import type { Store } from '../../src/store/port.ts';
import { claimAll, createRunFixture, createSettlement, indexedOutcome } from '../support/run-fixture.ts';

const FORM = { fingerprint: 'form' };

async function settleUrls(store: Store, urls: readonly string[], text?: string) {
  const { source } = await createRunFixture(store, urls);
  const claims = await claimAll(store);
  await store.frontier.settle(
    claims.map((claim) => createSettlement(claim, indexedOutcome(claim.url, text ?? claim.url))),
  );
  return source.versions[0]!.id;
}

async function generationOf(store: Store, name: string) {
  return (await store.points.generations()).find((one) => one.name === name)!;
}

export function pointsContract(store: () => Store): void {
  test('a version is in the queue of a generation, or its pages are after the position of the generation', async () => {
    const { points, changes } = store();
    const queued = await settleUrls(store(), ['https://x.dev/a']);
    await points.addGeneration({ name: 'one', ...FORM }, null);
    const later = await settleUrls(store(), ['https://y.dev/a']);
    const { id, position } = await generationOf(store(), 'one');
    expect(await points.isQueued(id, queued)).toBe(true);
    expect(await points.isQueued(id, later)).toBe(false);
    expect(await changes.after(position, 10)).toEqual([expect.objectContaining({ version: later })]);
  });

  test('a version that is queued again while its pages are indexed is indexed from its first page', async () => {
    const { points } = store();
    const version = await settleUrls(
      store(),
      ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `https://x.dev/${name}`),
    );
    await points.addGeneration({ name: 'one', ...FORM }, null);
    const { id } = await generationOf(store(), 'one');
    const pagesOf = async (part: IndexPart) => (await points.nextQueued(id, 100, part))!;
    for (const part of INDEX_PARTS) {
      const first = await pagesOf(part);
      await points.queueVersion(id, version);
      await points.dequeue(id, first);
      const again = await pagesOf(part);
      expect(again.pages).toEqual(first.pages);
      const partial = await points.nextQueued(id, 1, part);
      await points.queueVersion(id, version);
      await points.dequeue(id, partial!);
      expect((await pagesOf(part)).pages).toEqual(first.pages);
      await points.dequeue(id, await pagesOf(part));
      expect(await points.nextQueued(id, 100, part)).toBeNull();
    }
  });

  test('a text that gets another vector while one is sent stays queued', async () => {
    const { points, vectors } = store();
    await points.addGeneration({ name: 'one', ...FORM }, null);
    const space = await vectors.openSpace('model', 2, {});
    const version = await settleUrls(store(), ['https://x.dev/a'], 'shared');
    const contentHash = sha256Hex('shared');
    await vectors.importVectors(space.id, version, [{ contentHash, vector: new Float32Array([1, 0]) }]);
    const sent = await points.queuedTexts(10);
    expect(sent).toMatchObject([{ space: space.id, contentHash }]);
    // Another version does not trust the vector of a bundle.
    await settleUrls(store(), ['https://y.dev/a'], 'shared');
    const vector = new Float32Array([0, 1]);
    const claims = await vectors.claim(space.id, 'worker', 10, 60_000);
    await vectors.settle(claims.map((claim) => ({ claim, outcome: { kind: 'embedded', vector } })));
    await points.dequeueTexts(sent);
    const queued = await points.queuedTexts(10);
    expect(queued).toMatchObject([{ space: space.id, contentHash }]);
    await points.dequeueTexts(queued);
    expect(await points.queuedTexts(10)).toEqual([]);
  });

  test('a generation that was dropped does not become current, and the current one is not dropped', async () => {
    const { points } = store();
    await points.addGeneration({ name: 'one', ...FORM }, null);
    const one = await generationOf(store(), 'one');
    await points.addGeneration({ name: 'two', ...FORM }, one.id);
    const two = await generationOf(store(), 'two');
    await points.dropGeneration(two.id, 0);
    expect(await points.switchTo(two.id)).toBe(false);
    expect(await generationOf(store(), 'one')).toMatchObject({ state: 'current' });
    await points.addGeneration({ name: 'three', ...FORM }, one.id);
    const three = await generationOf(store(), 'three');
    expect(await points.switchTo(three.id)).toBe(true);
    // Another process has read it while it was being built.
    await points.dropGeneration(three.id, 0);
    expect(await generationOf(store(), 'three')).toMatchObject({ state: 'current' });
    expect(await generationOf(store(), 'one')).toMatchObject({ state: 'dropped' });
  });
}
