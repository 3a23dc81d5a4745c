// How often a source is recrawled automatically: `30m`, `6h`, `1d`, `2w`.

import { z } from 'zod';
import { UNIT_MS } from './setting-formats.ts';

/** A whole site is never recrawled more often than this. */
const MIN_INTERVAL_MS = 15 * UNIT_MS.m;
const MAX_INTERVAL_MS = 52 * UNIT_MS.w;

export const Interval = z.string().refine((text) => intervalMs(text) !== null, {
  message: 'must be a number with m, h, d or w, from 15m to 52w, such as 1d',
});

/** Null if the text is not an interval or is out of range. */
export function intervalMs(text: string): number | null {
  const [, digits = '', unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (unit === undefined) return null;
  const ms = Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS];
  return ms >= MIN_INTERVAL_MS && ms <= MAX_INTERVAL_MS ? ms : null;
}

/**
 * Delay until the next run, with up to 5 % jitter so that sources added together do not stay in step. `random` is at
 * least 0 and below 1.
 */
export function nextRunDelayMs(everyMs: number, random: number): number {
  return Math.round(everyMs * (1 + random / 20));
}
