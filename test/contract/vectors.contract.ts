// The store's contract: vectors.

import { expect, test } from 'vitest';
import { sha256Hex } from '../../src/core/model/hash.ts';
import { aRun, claimAll, indexed, settling, WORKER } from '../support/a-run.ts';
import type { Store } from '../../src/store/port.ts';

export function vectorsContract(store: () => Store): void {
  test('a text is embedded once, whatever page it stands on, and its vector goes with its last chunk', async () => {
    const { source, lease } = await aRun(store(), ['https://x.dev/a', 'https://x.dev/b']);
    await store().frontier.settle(
      (await claimAll(store())).map((claim) => settling(claim, indexed(claim.url, 'same text', `own ${claim.url}`))),
    );
    const space = await store().vectors.openSpace('model/1', 2, {});
    expect(await store().vectors.openSpace('model/1', 2, {})).toEqual(space);
    const claims = await store().vectors.claim(space.id, WORKER, 10, 60_000);
    expect(claims.map((claim) => claim.text).sort()).toEqual([
      'own https://x.dev/a',
      'own https://x.dev/b',
      'same text',
    ]);
    for (const claim of claims)
      expect(await store().vectors.settle(claim, { kind: 'embedded', vector: new Float32Array([1, 0.5]) })).toBe(
        'settled',
      );
    expect(await store().vectors.settle(claims[0]!, { kind: 'embedded', vector: new Float32Array([2, 2]) })).toBe(
      'superseded',
    );
    expect(await store().vectors.backlog(space.id)).toBe(0);
    const same = sha256Hex('same text');
    expect(Array.from((await store().vectors.of(space.id, [same])).get(same) ?? [])).toEqual([1, 0.5]);

    await store().runs.finish(lease, 'completed', null);
    await aRun(store(), ['https://x.dev/a'], source);
    const [again] = await claimAll(store());
    await store().frontier.settle([settling(again!, indexed(again!.url, 'other'))]);
    expect((await store().vectors.of(space.id, [same])).size).toBe(1);
    expect((await store().vectors.of(space.id, [sha256Hex('own https://x.dev/a')])).size).toBe(0);
    expect((await store().vectors.claim(space.id, WORKER, 10, 60_000)).map((claim) => claim.text)).toEqual(['other']);
  });

  test('a failed text is not wanted again, a retried one is, and an ended lease gives a text back', async () => {
    await aRun(store(), ['https://x.dev/a']);
    const [page] = await claimAll(store());
    await store().frontier.settle([settling(page!, indexed(page!.url, 'bad', 'slow'))]);
    const space = await store().vectors.openSpace('model/1', 2, {});
    const claims = await store().vectors.claim(space.id, WORKER, 10, -1);
    expect(
      await store().vectors.settle(
        claims.find((claim) => claim.text === 'bad')!,
        { kind: 'failed', reason: 'too long' },
      ),
    ).toBe('settled');
    const [again] = await store().vectors.claim(space.id, WORKER, 10, 60_000);
    expect(again).toMatchObject({ text: 'slow', attempts: 2 });
    expect(
      await store().vectors.settle(
        claims.find((claim) => claim.text === 'slow')!,
        { kind: 'embedded', vector: new Float32Array(2) },
      ),
    ).toBe('superseded');
    expect(await store().vectors.settle(again!, { kind: 'retry', inMs: -1, reason: 'busy' })).toBe('settled');
    expect(await store().vectors.claim(space.id, WORKER, 10, 60_000)).toHaveLength(1);
  });
}
