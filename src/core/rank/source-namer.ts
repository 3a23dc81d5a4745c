// Whether a query names a source: "partial index in postgres" asks for the one called postgres before all others.

import { packageOf } from '../model/source-name.ts';

const MAX_QUERY_CHARS = 1000;
/** Shorter names are too often words of another meaning. */
const MIN_KEY_CHARS = 3;
/** A name of this length may have two more letters: `postgresql` for `postgres`. */
const MIN_STEM_CHARS = 6;
const MAX_ENDING_CHARS = 2;

/** Only the sources of candidates are looked at, however many there are. */
export function createSourceNamer(query: string): (source: string) => boolean {
  const words = query
    .slice(0, MAX_QUERY_CHARS)
    .toLowerCase()
    .split(/[\s,;"'`?!()<>{}[\]=|]+/)
    .map(keyOf)
    .filter((word) => word !== '');
  const pairs = words.slice(1).map((word, at) => `${words[at] ?? ''}${word}`);
  const named = new Set([...words, ...pairs]);
  const known = new Map<string, boolean>();
  return (source) => {
    const isNamedInQuery =
      known.get(source) ?? namesOf(source.toLowerCase()).some((name) => isNamed(keyOf(name), named));
    known.set(source, isNamedInQuery);
    return isNamedInQuery;
  };
}

/**
 * A source of a package is called by the name of the package, with its scope or host or without: `npm:@reduxjs/toolkit` by
 * `@reduxjs/toolkit`, `toolkit` or `reduxjs`, and `npm:@types/node` by `node`.
 */
function namesOf(source: string): readonly string[] {
  const name = packageOf(source);
  if (name === null) return [source];
  const parts = name.split('/').filter((part) => !MAJOR_VERSION.test(part));
  const last = parts.at(-1) ?? name;
  const scope = name.startsWith('@') && parts[0] !== '@types' ? [parts[0] ?? ''] : [];
  return [name, last, ...scope];
}

/** The end of a module path in Go. */
const MAJOR_VERSION = /^v\d{1,4}$/;

/** `nextjs` of `next.js`. */
function keyOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}+#]/gu, '');
}

function isNamed(key: string, named: ReadonlySet<string>): boolean {
  if (key.length < MIN_KEY_CHARS) return false;
  if (named.has(key) || named.has(`${key}js`)) return true;
  if (key.length < MIN_STEM_CHARS) return false;
  return [...named].some((word) => word.startsWith(key) && word.length <= key.length + MAX_ENDING_CHARS);
}
