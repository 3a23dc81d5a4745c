import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimAll, createRunFixture, createSettlement, indexedOutcome } from '../../../test/support/run-fixture.ts';
import { TEST_SETTINGS, thisOwner } from '../../../test/support/stores.ts';
import { temporaryDirectory } from '../../../test/support/temporary-folder.ts';
import { openSqliteStore } from './open-sqlite-store.ts';

const DAY = 86_400_000;
const KEEP = 90 * DAY;
const WRONG = 400 * DAY;
let directory: string;

beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => rmSync(directory, { recursive: true }));

const open = (aheadMs = 0) =>
  openSqliteStore({
    ...TEST_SETTINGS,
    directory,
    owner: thisOwner,
    ...(aheadMs === 0 ? {} : { now: () => Date.now() + aheadMs }),
  });

/** A run with one page, ended and with its events pruned. */
async function crawlOnce(store: ReturnType<typeof open>, url: string): Promise<void> {
  const { lease } = await createRunFixture(store, [url]);
  const [claim] = await claimAll(store);
  await store.frontier.settle([createSettlement(claim!, indexedOutcome(claim!.url, 'text'))]);
  expect(await store.runs.finish(lease, 'completed', null)).toBe(true);
  await store.journal.advanceExpiry();
  while ((await store.journal.prune(KEEP, 1000)) > 0);
}

test('a run under a clock that is 400 days ahead does not delete the journal (finding N17)', async () => {
  const store = open();
  await crawlOnce(store, 'https://x.dev/a');
  const events = (await store.journal.after(0, 100)).length;
  await store.close();
  const ahead = open(WRONG);
  await crawlOnce(ahead, 'https://y.dev/a');
  expect((await ahead.journal.after(0, 100)).length).toBe(2 * events);
  await ahead.close();
});

test('the time by which events expire follows the clock in steps (finding N17)', async () => {
  const store = open();
  await crawlOnce(store, 'https://x.dev/a');
  await store.close();
  for (let aheadMs = 20 * DAY; aheadMs <= 100 * DAY; aheadMs += 20 * DAY) {
    const later = open(aheadMs);
    await crawlOnce(later, `https://x${aheadMs}.dev/a`);
    const [oldest] = await later.journal.after(0, 1);
    expect(oldest!.at.getTime() > Date.now() + DAY).toBe(aheadMs > KEEP);
    await later.close();
  }
});

test('once the clock is right again, so are new events, schedules and hosts (finding N17)', async () => {
  const ahead = open(WRONG);
  await crawlOnce(ahead, 'https://x.dev/a');
  const { source } = await createRunFixture(ahead, ['https://slow.dev/a']);
  await ahead.sources.change(source.id, {
    name: source.name,
    settings: source.settings,
    due: { afterMs: 7 * DAY },
    isAllowedDuringRun: true,
  });
  const [claim] = await claimAll(ahead);
  await ahead.frontier.settle([
    { ...createSettlement(claim!, { kind: 'retry', reason: 'fetch.status: status-503', inMs: 60_000 }), bytes: 0 },
  ]);
  await ahead.close();

  const store = open();
  const soon = Date.now() + DAY;
  const changed = await store.sources.byName(source.name);
  expect(changed!.dueAt!.getTime() - Date.now()).toBeGreaterThan(6 * DAY);
  expect(changed!.dueAt!.getTime() - Date.now()).toBeLessThan(8 * DAY);
  expect(await claimAll(store)).toMatchObject([{ url: 'https://slow.dev/a' }]);
  await store.journal.append(claim!.run, [{ kind: 'later', url: null, detail: {} }]);
  for (const { at } of await store.journal.after(0, 100)) expect(at.getTime()).toBeLessThan(soon);
  for (const { createdAt } of await store.runs.list(10)) expect(createdAt.getTime()).toBeLessThan(soon);
  expect(await store.verify()).toEqual([]);
  await store.close();
});
