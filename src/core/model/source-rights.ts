// Rights to sources, as patterns of their names. For a caller, a source without a matching pattern does not exist.

import { z } from 'zod';

/** Patterns of names, one of which must match; null for every source, including future ones. */
export type SourceRights = readonly string[] | null;

export const MAX_SOURCE_PATTERNS = 100;

/** A name, or one with stars: each stands for any characters, also for none. */
export const SourcePattern = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\s]+$/u, 'must be the name of a source, or a pattern such as npm:*, without spaces');

export const SourcePatterns = z.array(SourcePattern).min(1).max(MAX_SOURCE_PATTERNS);

/** A null name means that the source is unknown: only a caller with rights to all sources may see it. */
export function mayUseSource(rights: SourceRights, name: string | null): boolean {
  return rights === null || (name !== null && rights.some((pattern) => matchesPattern(name, pattern)));
}

/** Takes the leftmost match of each part: a star matches any characters, so backtracking would find nothing more. */
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
