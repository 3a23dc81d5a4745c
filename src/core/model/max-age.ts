// How long a page that is known need not be asked again: `6h` for every page, `reference=7d` for one kind.

/** An amount of minutes, hours or days, with the kind of page before it where it is meant for one. */
export const MAX_AGE = /^(?:(?<kind>article|reference|hub|index|other)=)?(?<amount>[1-9]\d{0,4})(?<unit>m|h|d)$/;

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Each must be a MAX_AGE. What is said of a page's kind stands over what is said of all; 0 where nothing is said. */
export function maxAgeMs(ages: readonly string[], kind: string | null): number {
  let ofAllMs = 0;
  for (const age of ages) {
    const { kind: meant, amount, unit } = MAX_AGE.exec(age)?.groups ?? {};
    const ms = Number(amount) * (UNIT_MS[unit ?? ''] ?? 0);
    if (meant === undefined) ofAllMs = ms;
    else if (meant === kind) return ms;
  }
  return ofAllMs;
}
