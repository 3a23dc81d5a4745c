// Which sources a caller may use, as patterns of their names. A source without the right does not exist for that caller.

import { z } from 'zod';

/** Patterns of names, of which one must match; null for every source, those of the future included. */
export type SourceRights = readonly string[] | null;

export const MAX_SOURCE_PATTERNS = 100;

/** A name, or one with stars: each stands for any characters, also for none. */
export const SourcePattern = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\s]+$/u, 'must be the name of a source, or a pattern such as npm:*, without spaces');

export const SourcePatterns = z.array(SourcePattern).min(1).max(MAX_SOURCE_PATTERNS);

/** A null name is of something whose source is not known, which only a caller with all sources may see. */
export function mayUseSource(rights: SourceRights, name: string | null): boolean {
  return rights === null || (name !== null && rights.some((pattern) => matchesPattern(name, pattern)));
}

/** The leftmost place of each part is enough, because a star takes any characters: no backtracking. */
function matchesPattern(name: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
