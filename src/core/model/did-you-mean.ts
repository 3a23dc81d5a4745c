// Names that a user may have meant.

import { tokenize } from '../lexical/tokenize/tokenize.ts';
import { editDistance } from './edit-distance.ts';

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

const MAX_WORDS = 12;

/** Titles with a word that is nearly a word of the question, or begins like one. */
export function nearTitles(query: string, titles: readonly string[]): string[] {
  const words = tokenize(query.slice(0, 1000))
    .filter((word) => word.length >= 4 && word.length <= 32)
    .slice(0, MAX_WORDS);
  const scored = [...new Set(titles)].map((title) => {
    const parts = tokenize(title.slice(0, 200));
    const near = words.filter((word) => parts.some((part) => isNear(word, part)));
    return { title, near: near.length };
  });
  const found = scored.filter(({ near }) => near > 0);
  found.sort((left, right) => right.near - left.near || left.title.length - right.title.length);
  return found.slice(0, SHOWN).map(({ title }) => title);
}

function isNear(word: string, part: string): boolean {
  if (part.length < 4) return false;
  if (part.startsWith(word.slice(0, 5)) || word.startsWith(part.slice(0, 5))) return true;
  return Math.abs(word.length - part.length) <= 2 && editDistance(word, part, 2) <= 2;
}
