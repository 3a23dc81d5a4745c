// Virtual time: timers in order of time, and in seeded random order where their times are equal. Nothing waits for a real clock.

import { createRandom } from '../../support/random.ts';

/** Any date after the release; only differences matter. */
const EPOCH_MS = Date.UTC(2027, 0, 1);

interface Timer {
  at: number;
  /** Orders timers of the same time, at random. */
  readonly tie: number;
  readonly run: () => void;
  isCancelled: boolean;
}

let nowMs = 0;
let random = createRandom(0);
let timers: Timer[] = [];
let steps = 0;

/** Forgets everything of the last simulation. */
export function resetTime(seed: number): void {
  nowMs = 0;
  steps = 0;
  timers = [];
  random = createRandom(seed);
}

/** Milliseconds since the simulation began. */
export function virtualMs(): number {
  return nowMs;
}

export function virtualEpochMs(): number {
  return EPOCH_MS + Math.floor(nowMs);
}

/** Timers that fired. */
export function stepsTaken(): number {
  return steps;
}

/** At least 0, below 1. The only source of randomness in a simulation. */
export function seededRandom(): number {
  return random();
}

export function chance(probability: number): boolean {
  return random() < probability;
}

/** From `min` to `max`, both included. */
export function integer(min: number, max: number): number {
  return min + Math.floor(random() * (max - min + 1));
}

export function pick<T>(items: readonly T[]): T {
  const item = items[integer(0, items.length - 1)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

/** Returns a function that cancels the timer. */
export function at(time: number, run: () => void): () => void {
  const timer: Timer = { at: Math.max(nowMs, time), tie: random(), run, isCancelled: false };
  push(timer);
  return () => void (timer.isCancelled = true);
}

/** Not stopped by the death of a process: for the world around the program. */
export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => void at(nowMs + ms, resolve));
}

export type DriveOutcome = 'done' | 'too late' | 'too many steps' | 'nothing left';

/**
 * Fires timers until `isDone`, until `untilMs` has come, `maxSteps` were taken, or nothing is left to fire. Between two timers everything that
 * can run does run: the program under simulation waits for nothing but timers.
 */
export async function drive(
  isDone: () => boolean,
  { untilMs, maxSteps }: { readonly untilMs: number; readonly maxSteps: number },
): Promise<DriveOutcome> {
  for (;;) {
    await nextTurn();
    if (isDone()) return 'done';
    let timer = pop();
    while (timer?.isCancelled === true) timer = pop();
    if (timer === undefined) return 'nothing left';
    if (timer.at > untilMs) return 'too late';
    if (steps >= maxSteps) return 'too many steps';
    nowMs = timer.at;
    steps += 1;
    timer.run();
  }
}

/** Every microtask runs before it. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.at < b.at || (a.at === b.at && a.tie < b.tie);
}

function push(timer: Timer): void {
  let i = timers.push(timer) - 1;
  while (i > 0) {
    const parent = (i - 1) >> 1;
    if (!isBefore(timer, timers[parent]!)) break;
    timers[i] = timers[parent]!;
    i = parent;
  }
  timers[i] = timer;
}

function pop(): Timer | undefined {
  const first = timers[0];
  const last = timers.pop();
  if (last === undefined || timers.length === 0) return first;
  let i = 0;
  for (;;) {
    let least = 2 * i + 1;
    if (least >= timers.length) break;
    if (least + 1 < timers.length && isBefore(timers[least + 1]!, timers[least]!)) least += 1;
    if (!isBefore(timers[least]!, last)) break;
    timers[i] = timers[least]!;
    i = least;
  }
  timers[i] = last;
  return first;
}
