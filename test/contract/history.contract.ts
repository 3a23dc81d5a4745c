// Store contract: the history of the database.

import { expect, test } from 'vitest';
import type { Claim } from '../../src/store/port/frontier.ts';
import { claimAll, createRunFixture, createSettlement, indexedOutcome } from '../support/run-fixture.ts';
import type { TestStore } from '../support/stores.ts';

const ROLLED_BACK = { code: 'database.rolled-back' };

export function historyContract(opened: () => TestStore, processes: number): void {
  test('a history goes on while events are added and expire (finding V07)', async () => {
    const { store, sql } = opened();
    let seen = await store.history.follow(null);
    const { run } = await createRunFixture(store, ['https://x.dev/a']);
    for (let nth = 0; nth < 3; nth += 1) {
      await store.journal.append(run.id, [{ kind: 'note', url: null, detail: { nth } }]);
      seen = await store.history.follow(seen);
    }
    await sql('delete from events');
    seen = await store.history.follow(seen);
    expect(seen).toEqual({ id: expect.stringMatching(/^[\da-f]{16}$/), seq: expect.any(Number), at: null });
    expect(await store.history.follow(seen)).toEqual(seen);
  });

  test('a database that lost its newest events has another history, for every process (finding V07)', async () => {
    const { store, sql } = opened();
    const { run } = await createRunFixture(store, ['https://x.dev/a']);
    const before = await store.history.follow(null);
    await store.journal.append(run.id, [{ kind: 'note', url: null, detail: {} }]);
    const seen = await store.history.follow(before);
    // The event is lost, and its number is given to another one.
    await sql(`delete from events where seq = ${seen.seq}; update event_head set last = last - 1`);
    await expect(store.history.follow(seen)).rejects.toMatchObject(ROLLED_BACK);
    const renewed = await store.history.follow(null);
    expect(renewed.id).not.toBe(seen.id);
    await expect(store.history.follow(before)).rejects.toMatchObject(ROLLED_BACK);
    expect((await store.history.follow(null)).id).toBe(renewed.id);
    await store.history.begin(seen.id);
    expect((await store.history.follow(null)).id).toBe(renewed.id);
  });

  test('an event whose number was given out a second time is noticed by its time (finding V07)', async () => {
    const { store, sql } = opened();
    const { run } = await createRunFixture(store, ['https://x.dev/a']);
    await store.journal.append(run.id, [{ kind: 'note', url: null, detail: {} }]);
    const seen = await store.history.follow(null);
    await sql(`update events set at = at + 1 where seq = ${seen.seq}`);
    // A process whose last commit is lost notices it when it commits again, any other when it looks next.
    const going = store.journal.append(run.id, [{ kind: 'note', url: null, detail: {} }]);
    await expect(going.then(() => store.history.follow(seen))).rejects.toMatchObject(ROLLED_BACK);
  });

  // What a process has settled, another one does not know.
  if (processes > 1) return;
  test('a process settles nothing once what it settled before is gone, and notices it when it looks next', async () => {
    const { store, sql } = opened();
    const { run } = await createRunFixture(store, ['https://x.dev/a', 'https://x.dev/b']);
    const seen = await store.history.follow(null);
    const [first, second] = await claimAll(store);
    const settle = (claim: Claim) =>
      store.frontier.settle([createSettlement(claim, indexedOutcome(claim.url, 'a text'))]);
    expect(await settle(first!)).toEqual(['settled']);
    // What was settled is lost with its events; the history that the process follows is from before.
    await sql(`delete from events where seq > ${seen.seq}; update event_head set last = ${seen.seq}`);
    await expect(settle(second!)).rejects.toMatchObject(ROLLED_BACK);
    expect((await store.runs.byId(run.id))?.counts.new).toBe(1);
    await expect(store.history.follow(seen)).rejects.toMatchObject(ROLLED_BACK);
    await store.history.follow(null);
    expect(await settle(second!)).toEqual(['settled']);
  });
}
