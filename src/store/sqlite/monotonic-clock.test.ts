import { expect, test } from 'vitest';
import { createMonotonicClock } from './monotonic-clock.ts';

const HOUR = 3_600_000;

function clockAt(wallMs: number, newest = 0) {
  const system = { wall: wallMs, monotonic: 0 };
  const clock = createMonotonicClock(newest, { wall: () => system.wall, monotonicMs: () => system.monotonic });
  return {
    clock,
    pass: (ms: number) => {
      system.wall += ms;
      system.monotonic += ms;
    },
    set: (byMs: number) => void (system.wall += byMs),
  };
}

test('follows the system clock', () => {
  const { clock, pass } = clockAt(1000);
  pass(250);
  expect(clock()).toBe(1250);
});

test('continues on its own when the system clock is set back', () => {
  const { clock, pass, set } = clockAt(10 * HOUR);
  set(-HOUR);
  expect(clock()).toBe(10 * HOUR);
  pass(500);
  expect(clock()).toBe(10 * HOUR + 500);
});

test('follows a system clock that is set forward', () => {
  const { clock, set } = clockAt(0);
  set(24 * HOUR);
  expect(clock()).toBe(24 * HOUR);
});

test('starts no earlier than the newest time of the database', () => {
  const { clock, pass } = clockAt(5 * HOUR, 6 * HOUR);
  pass(10);
  expect(clock()).toBe(6 * HOUR + 10);
});
