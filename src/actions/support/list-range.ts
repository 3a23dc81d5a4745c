// Pages of a list that is ordered by a growing number, newest first, and the way to the pages next to them.

import { z } from 'zod';
import type { ListRange } from '../../store/port/journal.ts';

/** Input fields of a list. A specification fixes `before`, `after`, `cursors.nextBefore` and `cursors.prevAfter`. */
export const rangeFields = (what: string, { limit, max }: { readonly limit: number; readonly max: number }) => ({
  before: z.int().min(1).optional().describe('Only older ones: `cursors.nextBefore` of a result'),
  after: z.int().min(0).optional().describe('Only newer ones: `cursors.prevAfter` of a result'),
  limit: z.int().min(1).max(max).default(limit).describe(`Maximum number of ${what}`),
});

export const Cursors = z
  .object({
    nextBefore: z.int().nullable().describe('Pass it as `before` for older ones; null at the end of the list'),
    prevAfter: z.int().nullable().describe('Pass it as `after` for newer ones; null if the list is empty'),
  })
  .describe('The pages before and after this one');

interface RangeInput {
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  readonly limit: number;
}

export function rangeOf({ before, after, limit }: RangeInput): ListRange {
  return { before: before ?? null, after: after ?? null, limit };
}

/** The way to the pages next to one with these items, newest first. */
export function cursorsOf<Item>(
  items: readonly Item[],
  numberOf: (item: Item) => number,
  { after, limit }: RangeInput,
): z.output<typeof Cursors> {
  const [newest, oldest] = [items[0], items.at(-1)].map((item) => (item === undefined ? null : numberOf(item)));
  const isLast = after === undefined && items.length < limit;
  return { nextBefore: isLast ? null : (oldest ?? null), prevAfter: newest ?? after ?? null };
}
