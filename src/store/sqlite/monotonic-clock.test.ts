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

const NOW = Date.UTC(2026, 6, 1);

test('believes the system clock when the newest time of the database is far ahead (finding N17)', () => {
  expect(clockAt(NOW, NOW + 400 * 24 * HOUR).clock()).toBe(NOW);
  expect(clockAt(NOW, NOW + 26 * HOUR).clock()).toBe(NOW + 26 * HOUR);
});

test('does not believe a system clock that was never set', () => {
  expect(clockAt(0, NOW).clock()).toBe(NOW);
});
