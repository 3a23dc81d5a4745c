// How often a source is brought up to date by itself, as people write it: `30m`, `6h`, `1d`, `2w`.

import { z } from 'zod';

export const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** A site is not asked as a whole more often than this, however often somebody wishes it. */
const SHORTEST_MS = 15 * UNIT_MS.m;
const LONGEST_MS = 52 * UNIT_MS.w;

export const Interval = z.string().refine((text) => intervalMs(text) !== null, {
  message: 'say a number with m, h, d or w, from 15m to 52w, such as 1d',
});

/** Null for what is no interval, or one that is too short or too long. */
export function intervalMs(text: string): number | null {
  const [, digits = '', unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (unit === undefined) return null;
  const ms = Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS];
  return ms >= SHORTEST_MS && ms <= LONGEST_MS ? ms : null;
}

/**
 * How long until the next run. A little later than asked, by chance, so that sources that were added together do not start
 * together for ever. `chance` is from 0 up to 1.
 */
export function nextRunAfterMs(everyMs: number, chance: number): number {
  return Math.round(everyMs * (1 + chance / 20));
}
