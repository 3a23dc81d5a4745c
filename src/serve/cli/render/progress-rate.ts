// How fast a run goes, by what was settled in the last seconds, and how long it will take at that speed.

export interface Rate {
  /** URLs settled a second; null while nothing is known. */
  readonly perSecond: number | null;
  /** Null while nothing is known. New links may make it longer. */
  readonly secondsLeft: number | null;
}

interface Counted {
  readonly found: number;
  readonly queued: number;
}

const WINDOW_MS = 15_000;
const SHORTEST_MS = 1000;

export function createRate(): (atMs: number, counts: Counted) => Rate {
  const samples: { readonly atMs: number; readonly done: number }[] = [];
  return (atMs, { found, queued }) => {
    const done = found - queued;
    samples.push({ atMs, done });
    while (samples.length > 2 && atMs - (samples[1]?.atMs ?? atMs) > WINDOW_MS) samples.shift();
    const [first = { atMs, done }] = samples;
    const elapsed = atMs - first.atMs;
    if (elapsed < SHORTEST_MS || done === first.done) return { perSecond: null, secondsLeft: null };
    const perSecond = ((done - first.done) * 1000) / elapsed;
    return { perSecond: Math.round(perSecond * 10) / 10, secondsLeft: Math.ceil(queued / perSecond) };
  };
}
