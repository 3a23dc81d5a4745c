// Webhooks over a real library and a real receiver: at least once, in order, signed, and only to admitted addresses.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLibrary, type Library, type LibraryOptions } from '../../../src/index.ts';
import { backoffMs } from '../../../src/library/deliver-webhooks.ts';
import { openTestPostgres, openTestSqlite } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { createReceiver, type Receiver } from './receiver.ts';

const SETTINGS: NonNullable<LibraryOptions['settings']> = {
  fetch: { allowCidrs: ['127.0.0.0/8'], allowPorts: ['1024-65535'] },
  parse: { threads: 1 },
  webhooks: { timeoutMs: 3000, minRetryMs: 20, maxRetryMs: 100 },
};

const text = (words: string): string =>
  `# Guide\n\n${words} is described here at some length, so that the page is stored as content that can be found.\n`;

let receiver: Receiver;
let library: Library;
let dataDir: string;
const folder = temporaryDirectory();
beforeEach(async () => {
  for (let i = 0; i < 5; i += 1) writeFileSync(join(folder, `page-${i}.md`), text(`thing ${i}`));
  receiver = await createReceiver();
  dataDir = temporaryDirectory();
  library = await openLibrary({ dataDir, settings: SETTINGS });
});
afterEach(async () => {
  await library.close();
  receiver.close();
});

async function addHook(): Promise<string> {
  const { secret, name } = await library.webhooks.create({ url: receiver.url, name: 'receiver' });
  receiver.setSecret(secret);
  expect(name).toBe('receiver');
  return secret;
}

const crawl = async (): Promise<void> => void (await (await library.add({ url: folder, name: 'docs' })).done());

/** Every change, each at least once, and in order when repeats are left out. */
async function awaitDelivery(): Promise<void> {
  const { changes } = await library.call('list_changes', { since: '0' });
  const all = changes.map((change) => ('revision' in change ? change.revision : 0));
  await waitUntil('every change arrives', () => new Set(receiver.accepted()).size === all.length, 20_000);
  expect([...new Set(receiver.accepted())]).toEqual(all);
  expect(receiver.received.filter(({ isSigned }) => !isSigned)).toEqual([]);
}

test('[K6] a webhook gets every change once, in order and signed, and its secret is shown once', async () => {
  const secret = await addHook();
  await crawl();
  await awaitDelivery();
  expect(receiver.accepted()).toHaveLength(5);
  await waitUntil('nothing is pending', async () => (await library.webhooks.list())[0]?.pending === 0, 20_000);
  const list = await library.webhooks.list();
  expect(list).toMatchObject([{ name: 'receiver', state: 'active', pending: 0, failures: 0, lastFailure: null }]);
  expect(JSON.stringify(list)).not.toContain(secret);
  await expect(library.webhooks.create({ url: receiver.url, name: 'receiver' })).rejects.toMatchObject({
    code: 'webhook.exists',
  });
  await library.webhooks.delete('receiver');
  await expect(library.webhooks.delete('receivr')).rejects.toMatchObject({ code: 'webhook.unknown' });
});

test('a receiver that fails, hangs and redirects gets the same message again until it accepts it', async () => {
  const trap = await createReceiver();
  receiver.answer(500, 'hang', { redirectTo: trap.url }, 429, { redirectTo: 'http://169.254.169.254/latest' });
  await addHook();
  await crawl();
  await awaitDelivery();
  expect(receiver.received.slice(0, 5).map(({ answered }) => answered)).toEqual([500, 'hang', 307, 429, 307]);
  const ids = receiver.received.slice(0, 6).map(({ id }) => id);
  expect(new Set(ids).size).toBe(1);
  expect(trap.received).toEqual([]);
  trap.close();
});

test('a receiver that is down blocks nothing, and gets everything when it is back', async () => {
  receiver.answerAlways(503);
  await addHook();
  await crawl();
  await waitUntil('it fails', async () => ((await library.webhooks.list())[0]?.failures ?? 0) > 3, 20_000);
  expect(await library.call('show_stats', {})).toMatchObject({
    webhooks: [{ webhook: 'receiver', state: 'failing', lastFailure: 'it answered 503' }],
  });
  writeFileSync(join(folder, 'page-1.md'), text('another thing'));
  await (await library.recrawl('docs')).done();
  expect(receiver.accepted()).toEqual([]);
  receiver.answerAlways(200);
  await awaitDelivery();
  expect((await library.call('show_stats', {})).webhooks).toEqual([]);
});

test('a webhook of one source gets its changes only, and follows it to another name', async () => {
  await crawl();
  const { secret } = await library.webhooks.create({ url: receiver.url, name: 'one', source: 'docs' });
  receiver.setSecret(secret);
  await (await library.add({ url: folder, name: 'other' })).done();
  await library.sources.edit({ source: 'docs', name: 'manual' });
  expect(await library.webhooks.list()).toMatchObject([{ name: 'one', source: 'manual' }]);
  writeFileSync(join(folder, 'page-1.md'), text('one more thing'));
  await (await library.recrawl('manual')).done();
  await waitUntil('nothing is pending', async () => (await library.webhooks.list())[0]?.pending === 0, 20_000);
  expect(receiver.accepted()).toHaveLength(1);
});

test('a receiver that answers 410 gets nothing more until a test succeeds', async () => {
  receiver.answer(410, 500);
  await addHook();
  await crawl();
  await waitUntil('it is disabled', async () => (await library.webhooks.list())[0]?.state === 'disabled', 20_000);
  expect(await library.webhooks.test('receiver')).toEqual({
    name: 'receiver',
    isAccepted: false,
    detail: 'it answered 500',
  });
  expect(await library.webhooks.test('receiver')).toMatchObject({ isAccepted: true });
  await awaitDelivery();
});

test('only admitted addresses are connected to', async () => {
  await expect(library.webhooks.create('http://10.0.0.1/hook')).rejects.toMatchObject({
    code: 'fetch.blocked-address',
  });
  await expect(library.webhooks.create('http://169.254.169.254/')).rejects.toMatchObject({
    code: 'fetch.blocked-address',
  });
  await addHook();
  await library.close();
  library = await openLibrary({ dataDir, settings: { ...SETTINGS, fetch: {} } });
  await crawl();
  await waitUntil('it fails', async () => ((await library.webhooks.list())[0]?.failures ?? 0) > 1, 20_000);
  expect((await library.webhooks.list())[0]?.lastFailure).toMatch(/^its address is not allowed/);
  expect(receiver.received).toEqual([]);
});

test('a position that expired is told once, and delivery continues from the newest one', async () => {
  receiver.answerAlways(503);
  await addHook();
  await crawl();
  await waitUntil('it is tried', () => receiver.received.length > 0, 20_000);
  await library.close();
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(join(dataDir, 'pinakes.db'));
  database.exec('update change_log set complete_from = 3');
  database.close();
  receiver.answerAlways(200);
  library = await openLibrary({ dataDir, settings: SETTINGS });
  library.work().catch(() => undefined);
  await waitUntil(
    'it is told',
    () => receiver.received.some(({ type, answered }) => type === 'changes.expired' && answered === 200),
    20_000,
  );
  await waitUntil('nothing is pending', async () => (await library.webhooks.list())[0]?.pending === 0, 20_000);
});

test('the delay doubles up to its limit, with jitter', () => {
  const settings = { timeoutMs: 1, minRetryMs: 5000, maxRetryMs: 3_600_000 };
  expect([0, 1, 2, 9, 10, 1000].map((failures) => backoffMs(failures, settings, 1))).toEqual([
    5000, 10_000, 20_000, 2_560_000, 3_600_000, 3_600_000,
  ]);
  expect(backoffMs(0, settings, 0)).toBe(2500);
});

describe.each([
  ['SQLite', openTestSqlite],
  ['PostgreSQL', openTestPostgres],
] as const)('leases of webhooks on %s', (_, open) => {
  test('are held by one process, and what a lost one saves changes nothing', async () => {
    const { store, sql, close } = await open();
    const { webhooks } = store;
    await webhooks.add({ name: 'one', url: 'https://x.dev/', source: null, secret: 's', position: 0 });
    expect(await webhooks.lease('a', 60_000)).toBeNull();
    await sql('update event_head set last_change = 5');
    const late = await webhooks.lease('a', 60_000);
    expect([late?.hook.position, await webhooks.lease('b', 60_000)]).toEqual([0, null]);
    await sql('update webhooks set lease_until = 1');
    const current = await webhooks.lease('a', 60_000);
    if (late === null || current === null) throw new Error('no lease');
    expect([await webhooks.begin(late, 3, 1000), await webhooks.deliver(late, 3, true)]).toEqual([false, false]);
    await webhooks.fail(late, 'late', 1000);
    expect((await webhooks.list())[0]).toMatchObject({ position: 0, failures: 0 });
    expect([await webhooks.begin(current, 3, 60_000), await webhooks.deliver(current, 3, true)]).toEqual([true, true]);
    await webhooks.fail(current, 'it answered 500', 60_000);
    expect((await webhooks.list())[0]).toMatchObject({ position: 3, failures: 1, lastFailure: 'it answered 500' });
    expect([await webhooks.lease('b', 60_000), await webhooks.areDue()]).toEqual([null, false]);
    await webhooks.enable('one');
    expect((await webhooks.lease('b', 60_000))?.hook.failures).toBe(0);
    await close();
  });
});
