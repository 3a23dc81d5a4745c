import { expect, test } from 'vitest';
import { createSteadyClock } from './monotonic-clock.ts';

const HOUR = 3_600_000;

function clockAt(wallMs: number, newest = 0) {
  const system = { wall: wallMs, monotonic: 0 };
  const clock = createSteadyClock(newest, { wall: () => system.wall, monotonicMs: () => system.monotonic });
  return {
    clock,
    pass: (ms: number) => {
      system.wall += ms;
      system.monotonic += ms;
    },
    set: (byMs: number) => void (system.wall += byMs),
  };
}

test('it goes with the system', () => {
  const { clock, pass } = clockAt(1000);
  pass(250);
  expect(clock()).toBe(1250);
});

test('it goes on at its pace when the system is set back', () => {
  const { clock, pass, set } = clockAt(10 * HOUR);
  set(-HOUR);
  expect(clock()).toBe(10 * HOUR);
  pass(500);
  expect(clock()).toBe(10 * HOUR + 500);
});

test('it follows a system that is set forward', () => {
  const { clock, set } = clockAt(0);
  set(24 * HOUR);
  expect(clock()).toBe(24 * HOUR);
});

test('it begins no earlier than what the database has seen', () => {
  const { clock, pass } = clockAt(5 * HOUR, 6 * HOUR);
  pass(10);
  expect(clock()).toBe(6 * HOUR + 10);
});
