// The size of the library, or of one source, day by day.

import { z } from 'zod';
import type { DailySize } from '../store/port.ts';
import { action } from './action.ts';

const Day = z.object({
  day: z.iso.date().describe('In UTC'),
  pages: z.int(),
  chunks: z.int(),
  receivedBytes: z.int().describe('Received by runs that ended on this day'),
  databaseBytes: z
    .int()
    .nullable()
    .describe('Size of the whole database after the last run of the day; null without one'),
});

export type DailySizeView = z.output<typeof Day>;

const DAY_MS = 86_400_000;

export const showGrowth = action({
  name: 'show_growth',
  summary: 'Show the size of the library by day',
  effect: 'read',
  input: z.strictObject({
    source: z.string().min(1).optional().describe('Only this source, which may have been removed; all by default'),
    days: z.int().min(1).max(366).default(30).describe('How many days, today included'),
  }),
  output: z.object({ days: z.array(Day).describe('Oldest first; days before the first known one are left out') }),
  bindings: {
    cli: { command: 'growth', group: 'maintain', positional: ['source'], example: 'pinakes growth --days 90' },
    http: { method: 'GET', path: '/library/growth' },
  },

  async run({ source = null, days }, { store }) {
    const now = Date.now();
    const today = now - (now % DAY_MS);
    const first = today - (days - 1) * DAY_MS;
    const rows = await store.stats.libraryDays(new Date(first), source);
    return { days: daysOf(rows, { first, today }) };
  },
});

/** A source has its last known size until the next row. */
function daysOf(
  rows: readonly DailySize[],
  { first, today }: { readonly first: number; readonly today: number },
): DailySizeView[] {
  const sizes = new Map<string, DailySize>();
  const views: DailySizeView[] = [];
  let next = 0;
  for (let day = first; day <= today; day += DAY_MS) {
    let receivedBytes = 0;
    let databaseBytes: number | null = null;
    for (let row = rows[next]; row !== undefined && row.day.getTime() <= day; row = rows[(next += 1)]) {
      sizes.set(row.source, row);
      if (row.day.getTime() < day) continue;
      receivedBytes += row.receivedBytes;
      if (row.databaseBytes !== null) databaseBytes = Math.max(databaseBytes ?? 0, row.databaseBytes);
    }
    if (sizes.size > 0) views.push({ day: isoDay(day), ...sumOf(sizes), receivedBytes, databaseBytes });
  }
  return views;
}

function sumOf(sizes: ReadonlyMap<string, DailySize>): { pages: number; chunks: number } {
  let [pages, chunks] = [0, 0];
  for (const size of sizes.values()) {
    pages += size.pages;
    chunks += size.chunks;
  }
  return { pages, chunks };
}

function isoDay(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}
