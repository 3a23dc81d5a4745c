// Names that a user may have meant.

import { editDistance } from './near-word.ts';

const MOST = 3;
const SHOWN = 5;

/** Nearest first: names that hold the given one or are held by it, then those that differ by few letters. */
export function nearNames(wanted: string, names: readonly string[]): string[] {
  const asked = wanted.toLowerCase().slice(0, 100);
  const scored = names.map((name) => {
    const small = name.toLowerCase().slice(0, 100);
    const holds = asked.length >= 2 && (small.includes(asked) || asked.includes(small));
    return { name, distance: holds ? 0 : editDistance(asked, small, MOST) };
  });
  const near = scored.filter(({ distance }) => distance <= MOST);
  near.sort((left, right) => left.distance - right.distance || (left.name < right.name ? -1 : 1));
  return near.slice(0, SHOWN).map(({ name }) => name);
}
