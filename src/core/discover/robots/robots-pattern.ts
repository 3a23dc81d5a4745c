// Matches a path against a pattern of robots.txt: `*` is any run of characters, a final `$` is the end of the path,
// everything else is compared character by character. Linear in the path for every `*`, whatever the pattern.

export interface RobotsPattern {
  /** Everything before the first `*`: the path starts with it. */
  readonly literal: string;
  /** What follows each `*`, in this order, without the end of an anchored pattern. */
  readonly segments: readonly string[];
  /** What an anchored pattern ends with; null if the path may go on. Without a `*`, the literal is the whole path. */
  readonly tail: string | null;
  readonly anchored: boolean;
}

export function compileRobotsPattern(pattern: string): RobotsPattern {
  const anchored = pattern.endsWith('$');
  const [literal = '', ...segments] = (anchored ? pattern.slice(0, -1) : pattern).split('*');
  const tail = anchored ? (segments.pop() ?? null) : null;
  return { literal, segments: segments.filter((segment) => segment !== ''), tail, anchored };
}

/** For a path that starts with the literal. */
export function matchesAfterLiteral(path: string, { literal, segments, tail, anchored }: RobotsPattern): boolean {
  if (!anchored) return matchSegments(path, segments, literal.length) !== -1;
  if (tail === null) return path.length === literal.length;
  if (!path.endsWith(tail)) return false;
  const at = matchSegments(path, segments, literal.length);
  return at !== -1 && path.length - tail.length >= at;
}

/** Greedy: each segment matches at its first occurrence, which is enough because only `*` is between segments. */
function matchSegments(path: string, segments: readonly string[], from: number): number {
  let at = from;
  for (const segment of segments) {
    const found = indexOfSegment(path, segment, at);
    if (found === -1) return -1;
    at = found + segment.length;
  }
  return at;
}

/** `indexOf` takes quadratic time for long needles on hostile text; above this length a KMP table is used instead. */
const MAX_NATIVE_SEARCH_CHARS = 32;

function indexOfSegment(path: string, segment: string, from: number): number {
  if (segment.length > path.length - from) return -1;
  return segment.length <= MAX_NATIVE_SEARCH_CHARS ? path.indexOf(segment, from) : indexOfLong(path, segment, from);
}

/** Knuth-Morris-Pratt: linear for any text. */
function indexOfLong(path: string, segment: string, from: number): number {
  const borders = borderTable(segment);
  let matched = 0;
  for (let at = from; at < path.length; at += 1) {
    while (matched > 0 && path[at] !== segment[matched]) matched = borders[matched - 1] ?? 0;
    if (path[at] === segment[matched]) matched += 1;
    if (matched === segment.length) return at - matched + 1;
  }
  return -1;
}

function borderTable(segment: string): Uint32Array {
  const borders = new Uint32Array(segment.length);
  let length = 0;
  for (let at = 1; at < segment.length; at += 1) {
    while (length > 0 && segment[at] !== segment[length]) length = borders[length - 1] ?? 0;
    if (segment[at] === segment[length]) length += 1;
    borders[at] = length;
  }
  return borders;
}

/**
 * Octets above 127 become percent-encoded and hexadecimal digits upper case, so a rule and a URL that was
 * serialised by the WHATWG parser agree. Unreserved characters are not decoded. `octets` has one octet per character.
 */
export function escapePattern(octets: string): string {
  return octets
    .replace(/%[0-9a-fA-F]{2}/g, (escape) => escape.toUpperCase())
    .replace(/[\u0080-\u00ff]/g, (octet) => `%${octet.charCodeAt(0).toString(16).toUpperCase()}`);
}
