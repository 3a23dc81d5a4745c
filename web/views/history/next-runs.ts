// When scheduled sources are crawled next, by day. After its next run a source is expected at its interval.

import { UNIT_MS } from '../../../src/core/model/setting-formats.ts';
import type { SourceStats } from '../../api/responses.ts';

export interface PlannedRuns {
  readonly source: string;
  /** The first time of the day, in milliseconds since the epoch. */
  readonly firstAt: number;
  /** Runs on that day. */
  readonly times: number;
}

export interface CalendarDay {
  /** Midnight of the local day. */
  readonly at: number;
  readonly runs: readonly PlannedRuns[];
}

export function calendarOf(sources: readonly SourceStats[], days: number, now: number): readonly CalendarDay[] {
  return Array.from({ length: days }, (_, offset) => {
    const from = midnight(now, offset);
    const until = midnight(now, offset + 1);
    const runs = sources.flatMap((source): PlannedRuns[] => plannedRuns(source, Math.max(from, now), until));
    return { at: from, runs: runs.toSorted((a, b) => a.firstAt - b.firstAt) };
  });
}

/** By the calendar: a day on which the clocks change has 23 or 25 hours. */
function midnight(now: number, offset: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + offset).getTime();
}

function plannedRuns({ source, nextRunAt, settings }: SourceStats, from: number, until: number): PlannedRuns[] {
  if (nextRunAt === null) return [];
  const next = Date.parse(nextRunAt);
  const step = typeof settings['every'] === 'string' ? stepMs(settings['every']) : Infinity;
  // A run that is overdue starts at once; the others follow from there.
  const first = next >= from ? next : step === Infinity ? from : next + Math.ceil((from - next) / step) * step;
  return first >= until ? [] : [{ source, firstAt: first, times: Math.floor((until - 1 - first) / step) + 1 }];
}

/** The server has checked the interval. */
function stepMs(every: string): number {
  return Number.parseInt(every, 10) * UNIT_MS[every.at(-1) as keyof typeof UNIT_MS];
}
