import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunId } from '../../core/model/run.ts';
import { createRunActivity } from './run-activity.ts';

const time = vi.hoisted(() => ({ ms: 0, onSleep: [] as Array<() => void> }));

/** A sleep takes no real time; what happens during one is in `onSleep`. */
vi.mock('../../platform/clock.ts', () => ({
  async sleepOrAbort(ms: number, signal: AbortSignal) {
    time.onSleep.shift()?.();
    if (!signal.aborted) time.ms += ms;
  },
}));

const { signal } = new AbortController();

beforeEach(() => {
  time.ms = 0;
  time.onSleep = [];
});

describe('a coordinator looks at its run', () => {
  test('less and less often while nothing is settled', async () => {
    expect(await intervals(createRunActivity().follow(1 as RunId), 6)).toEqual([100, 200, 400, 500, 500, 500]);
  });

  test('again soon after this worker settled one of its pages', async () => {
    const activity = createRunActivity();
    const run = activity.follow(1 as RunId);
    await intervals(run, 6);
    // During the second part of the next sleep.
    time.onSleep = [() => undefined, () => activity.settled(1 as RunId)];
    expect(await intervals(run, 3)).toEqual([100, 100, 200]);
  });

  test('as often as before when pages of other runs were settled', async () => {
    const activity = createRunActivity();
    const run = activity.follow(1 as RunId);
    activity.follow(2 as RunId);
    await intervals(run, 6);
    time.onSleep = [() => undefined, () => activity.settled(2 as RunId)];
    expect(await intervals(run, 3)).toEqual([500, 500, 500]);
  });

  test('less often with many runs, until they have ended', async () => {
    const activity = createRunActivity();
    const run = activity.follow(1 as RunId);
    const others = Array.from({ length: 99 }, (_, n) => activity.follow((n + 2) as RunId));
    expect((await intervals(run, 8)).at(-1)).toBe(2500);
    for (const other of others) other.end();
    expect((await intervals(run, 2)).at(-1)).toBe(500);
  });
});

async function intervals(run: ReturnType<ReturnType<typeof createRunActivity>['follow']>, times: number) {
  const slept: number[] = [];
  for (let n = 0; n < times; n += 1) {
    const before = time.ms;
    await run.sleep(signal);
    slept.push(time.ms - before);
  }
  return slept;
}
