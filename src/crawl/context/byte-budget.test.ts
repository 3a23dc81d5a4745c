import { expect, test } from 'vitest';
import { createByteRoom, type Place } from './byte-budget.ts';

const never = new AbortController().signal;

/** Whether it goes on at once. */
async function isFree(waiting: Promise<void>): Promise<boolean> {
  const late = new Promise<false>((resolve) => setImmediate(resolve, false));
  return Promise.race([waiting.then(() => true), late]);
}

async function arrived(place: Place, bytes: number): Promise<boolean> {
  await place.enter(never);
  return isFree(place.take(bytes, never));
}

test('pages are read side by side while their bytes have room', async () => {
  const room = createByteRoom(100);
  expect(await arrived(room.place(), 40)).toBe(true);
  expect(await arrived(room.place(), 40)).toBe(true);
});

test('a page longer than the room is read alone, and nothing beside it', async () => {
  const room = createByteRoom(100);
  const [short, long, next] = [room.place(), room.place(), room.place()];
  for (const place of [short, long, next]) await place.enter(never);
  await short.take(10, never);
  const taken = long.take(500, never);
  expect(await isFree(taken)).toBe(false);
  const after = next.take(10, never);
  expect(await isFree(after)).toBe(false);
  short.leave();
  expect(await isFree(taken)).toBe(true);
  expect(await isFree(after)).toBe(false);
  long.leave();
  expect(await isFree(after)).toBe(true);
});

test('after long pages fewer are asked for at once, and more again when short ones come', async () => {
  const room = createByteRoom(100);
  const long = room.place();
  expect(await arrived(long, 60)).toBe(true);
  const next = room.place();
  const entered = next.enter(never);
  expect(await isFree(entered)).toBe(false);
  long.leave();
  expect(await isFree(entered)).toBe(true);
  next.leave();
  for (let nth = 0; nth < 20; nth += 1) {
    const place = room.place();
    expect(await arrived(place, 1)).toBe(true);
    place.leave();
  }
  const beside = room.place();
  expect(await arrived(beside, 10)).toBe(true);
  expect(await isFree(room.place().enter(never))).toBe(true);
});

test('whoever is told to stop waits no longer and holds nobody up', async () => {
  const room = createByteRoom(100);
  const [long, waiting, short] = [room.place(), room.place(), room.place()];
  for (const place of [long, waiting, short]) await place.enter(never);
  await long.take(80, never);
  const stop = new AbortController();
  const taken = waiting.take(50, stop.signal);
  const behind = short.take(10, never);
  stop.abort(new Error('stopped'));
  await expect(taken).rejects.toThrow('stopped');
  expect(await isFree(behind)).toBe(true);
});
