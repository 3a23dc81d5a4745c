import { expect, test } from 'vitest';
import {
  afterFailure,
  createBreakerGate,
  QUERY_POLICY,
  QUEUE_POLICY,
  type BreakerPolicy,
  type CircuitBreaker,
} from './circuit-breaker.ts';

const soft = { retryable: true, waitMs: 0 };

function gateAt(policy: BreakerPolicy) {
  const clock = { nowMs: 1000 };
  return { clock, gate: createBreakerGate(policy, () => clock.nowMs) };
}

/** How long the breaker is open after each of so many failures, each at the end of the pause before. */
function openTimes(times: number, policy: BreakerPolicy): number[] {
  const { clock, gate } = gateAt(policy);
  return Array.from({ length: times }, () => {
    clock.nowMs += gate.now().pausedForMs;
    expect(gate.admit()).toBe(true);
    gate.failed(soft);
    return gate.now().pausedForMs;
  });
}

test('five consecutive failures open the breaker of the queue, then for twice as long each time', () => {
  expect(openTimes(10, QUEUE_POLICY)).toEqual([0, 0, 0, 0, 5000, 10_000, 20_000, 40_000, 60_000, 60_000]);
});

test('one failure opens the breaker of queries, and a trial follows every half minute', () => {
  expect(openTimes(7, QUERY_POLICY)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  expect(openTimes(2000, QUERY_POLICY).at(-1)).toBe(30_000);
});

test('requests that fail together open the breaker once, for as long as one', () => {
  const { clock, gate } = gateAt(QUERY_POLICY);
  for (let nth = 0; nth < 10; nth += 1) gate.failed(soft);
  expect(gate.now().pausedForMs).toBe(1000);
  clock.nowMs += 1000;
  expect(gate.admit()).toBe(true);
  gate.failed(soft);
  expect(gate.now().pausedForMs).toBe(2000);
});

test('requests that fail together are one outage, and the next pause is not longer for them (finding V33)', () => {
  const burst = (state: CircuitBreaker): CircuitBreaker =>
    Array.from({ length: 15 }).reduce<CircuitBreaker>((now) => afterFailure(now, QUEUE_POLICY), state);
  const opened = burst({ breaker: 'closed', failures: 0, pausedForMs: 0 });
  expect(opened).toEqual({ breaker: 'open', failures: 5, pausedForMs: 5000 });
  expect(burst({ ...opened, pausedForMs: 0 })).toEqual({ breaker: 'open', failures: 6, pausedForMs: 10_000 });
});

test('after the pause one request is the trial, and the others wait for its result', () => {
  const { clock, gate } = gateAt(QUERY_POLICY);
  gate.failed(soft);
  expect(gate.admit()).toBe(false);
  clock.nowMs += 1000;
  expect([gate.admit(), gate.admit(), gate.admit()]).toEqual([true, false, false]);
  gate.succeeded();
  expect([gate.admit(), gate.admit()]).toEqual([true, true]);
});

test('a trial that never ends is followed by another one', () => {
  const { clock, gate } = gateAt(QUERY_POLICY);
  gate.failed(soft);
  clock.nowMs += 1000;
  gate.admit();
  clock.nowMs += 1000;
  expect(gate.admit()).toBe(true);
});

test('a response to a request from before the breaker opened does not close it', () => {
  const { gate } = gateAt(QUERY_POLICY);
  gate.failed(soft);
  gate.succeeded();
  expect(gate.admit()).toBe(false);
});

test('a permanent failure opens it at once, and a server can ask for a longer time', () => {
  const permanent = gateAt(QUEUE_POLICY).gate;
  permanent.failed({ retryable: false, waitMs: 0 });
  expect(permanent.now().pausedForMs).toBe(60_000);
  const throttled = gateAt(QUEUE_POLICY).gate;
  throttled.failed({ retryable: true, waitMs: 2500 });
  expect(throttled.now().pausedForMs).toBe(2500);
});
