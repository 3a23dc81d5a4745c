import { expect, test } from 'vitest';
import { createByteBudget, type ByteReservation } from './byte-budget.ts';

const never = new AbortController().signal;

/** Whether it resolves immediately. */
async function isFree(waiting: Promise<void>): Promise<boolean> {
  const late = new Promise<false>((resolve) => setImmediate(resolve, false));
  return Promise.race([waiting.then(() => true), late]);
}

async function arrived(reservation: ByteReservation, bytes: number): Promise<boolean> {
  await reservation.reserve(never);
  return isFree(reservation.commit(bytes, never));
}

test('pages are parsed in parallel while their bytes fit', async () => {
  const budget = createByteBudget(100);
  expect(await arrived(budget.reservation(), 40)).toBe(true);
  expect(await arrived(budget.reservation(), 40)).toBe(true);
});

test('a page larger than the budget is parsed alone', async () => {
  const budget = createByteBudget(100);
  const [short, long, next] = [budget.reservation(), budget.reservation(), budget.reservation()];
  for (const reservation of [short, long, next]) await reservation.reserve(never);
  await short.commit(10, never);
  const taken = long.commit(500, never);
  expect(await isFree(taken)).toBe(false);
  const after = next.commit(10, never);
  expect(await isFree(after)).toBe(false);
  short.release();
  expect(await isFree(taken)).toBe(true);
  expect(await isFree(after)).toBe(false);
  long.release();
  expect(await isFree(after)).toBe(true);
});

test('a page that grows when it is rendered counts by its new size, and waits for nothing that it holds itself (finding D27)', async () => {
  const budget = createByteBudget(100);
  const [one, two, next] = [budget.reservation(), budget.reservation(), budget.reservation()];
  for (const reservation of [one, two, next]) expect(await arrived(reservation, 30)).toBe(true);
  next.release();
  const grown = [one.commit(90, never), two.commit(90, never)] as const;
  expect(await isFree(grown[0])).toBe(true);
  expect(await isFree(grown[1])).toBe(false);
  one.release();
  expect(await isFree(grown[1])).toBe(true);
  two.release();
  expect(await arrived(budget.reservation(), 100)).toBe(true);
});

test('after long pages fewer are fetched in parallel, and more again after short ones', async () => {
  const budget = createByteBudget(100);
  const long = budget.reservation();
  expect(await arrived(long, 60)).toBe(true);
  const next = budget.reservation();
  const entered = next.reserve(never);
  expect(await isFree(entered)).toBe(false);
  long.release();
  expect(await isFree(entered)).toBe(true);
  next.release();
  for (let nth = 0; nth < 20; nth += 1) {
    const reservation = budget.reservation();
    expect(await arrived(reservation, 1)).toBe(true);
    reservation.release();
  }
  const parallel = budget.reservation();
  expect(await arrived(parallel, 10)).toBe(true);
  expect(await isFree(budget.reservation().reserve(never))).toBe(true);
});

test('an aborted waiter stops waiting and blocks nothing behind it', async () => {
  const budget = createByteBudget(100);
  const [long, waiting, short] = [budget.reservation(), budget.reservation(), budget.reservation()];
  for (const reservation of [long, waiting, short]) await reservation.reserve(never);
  await long.commit(80, never);
  const stop = new AbortController();
  const taken = waiting.commit(50, stop.signal);
  const behind = short.commit(10, never);
  stop.abort(new Error('stopped'));
  await expect(taken).rejects.toThrow('stopped');
  expect(await isFree(behind)).toBe(true);
});
