// How long a page that is known need not be asked again: `6h` for every page, `reference=7d` for one kind.

import { UNIT_MS } from './interval.ts';
import { PAGE_KINDS } from './page-kind-names.ts';

/** An amount of minutes, hours or days, with the kind of page before it where it is meant for one. */
export const MAX_AGE = new RegExp(`^(?:(?<kind>${PAGE_KINDS.join('|')})=)?(?<amount>[1-9]\\d{0,4})(?<unit>[mhd])$`);

/** Each must be a MAX_AGE. What is said of a page's kind stands over what is said of all; 0 where nothing is said. */
export function maxAgeMs(ages: readonly string[], kind: string | null): number {
  let ofAllMs = 0;
  for (const age of ages) {
    const { kind: meant, amount, unit } = MAX_AGE.exec(age)?.groups ?? {};
    const ms = Number(amount) * UNIT_MS[unit as 'm' | 'h' | 'd'];
    if (meant === undefined) ofAllMs = ms;
    else if (meant === kind) return ms;
  }
  return ofAllMs;
}
