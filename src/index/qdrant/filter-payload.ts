// The payload of a page point for filters, and the conditions of a query on it. The engine compares whole values, so
// folders and the beginnings of headings and symbols are stored as hashes. A condition may let a page through that has no
// matching chunk, and never holds one back that has: the chunks of the candidates are then compared exactly, from the store.

import type { SearchFilter } from '../../core/lexical/query/search-filter.ts';
import { symbolKey, symbolParts } from '../../core/lexical/query/symbol-parts.ts';
import { decodePercent } from '../../core/text/decode-percent.ts';
import { fileKindOf, type FileKind } from '../../core/files/file-kind.ts';
import type { FilteredPage } from '../../ports/point-records.ts';

export interface FilterPayload {
  /** Passage kinds of its chunks. */
  readonly kinds: readonly string[];
  readonly pageKind: string | null;
  readonly fileKind: FileKind;
  /** Every folder that contains it, and beginnings of headings and symbols, hashed. */
  readonly starts: readonly number[];
}

/** A page passes if it has any of the values. */
export interface Condition {
  readonly key: 'version' | 'kinds' | 'pageKind' | 'fileKind' | 'starts' | 'page';
  readonly match: { readonly any: ReadonlyArray<string | number> };
}

/** Beginnings of these lengths are stored; a condition uses the longest that the wanted one has. */
const START_CHARS = [8, 3] as const;
/** A page with more is rare; it passes every condition. */
const MAX_STARTS = 500;
const ANY = 0;

type Started = 'folder' | 'heading' | 'symbol';

export function filterPayload({ path, pageKind, mediaType, chunks }: FilteredPage): FilterPayload {
  const starts = new Set(foldersOf(path).map((folder) => hashed('folder', folder)));
  for (const { headings, symbol } of chunks) {
    for (const heading of headings) addStarts(starts, 'heading', heading);
    for (const part of symbol === null ? [] : symbolParts(symbol)) addStarts(starts, 'symbol', part);
  }
  return {
    kinds: [...new Set(chunks.map(({ passageKind }) => passageKind))],
    pageKind,
    fileKind: fileKindOf(mediaType),
    starts: starts.size > MAX_STARTS ? [ANY] : [...starts],
  };
}

function hashed(what: Started, text: string): number {
  return termId(`${what} ${text}`);
}

function addStarts(starts: Set<number>, what: Started, text: string): void {
  const lower = text.toLowerCase();
  for (const chars of START_CHARS) if (lower.length >= chars) starts.add(hashed(what, lower.slice(0, chars)));
}

const ORIGIN = /^(?:file:\/\/|[a-z][a-z0-9+.-]*:\/\/[^/]*)/i;

/** The folders of a path or URL, the outermost first, each from the start of its site: `docs/`, `docs/guide/`. */
function foldersOf(path: string): readonly string[] {
  const local = path.replace(ORIGIN, '').replace(/^\/+/, '');
  // Decoded piece by piece: a lone percent sign in one of them does not keep the others escaped.
  const pieces = local.split('/').map(decodePercent).join('/').split('/').slice(0, -1);
  return pieces.map((_, at) => `${pieces.slice(0, at + 1).join('/')}/`);
}

export function pageConditions(filter: SearchFilter): readonly Condition[] {
  const { pathPrefix, pathBases = [], passageKinds, pageKinds, fileKinds, headingPrefix, symbolPrefix } = filter;
  const conditions: Condition[] = [];
  if (passageKinds !== undefined) conditions.push({ key: 'kinds', match: { any: passageKinds } });
  if (pageKinds !== undefined) conditions.push({ key: 'pageKind', match: { any: pageKinds } });
  if (fileKinds !== undefined) conditions.push({ key: 'fileKind', match: { any: fileKinds } });
  if (pathPrefix !== undefined) conditions.push(...folderCondition(pathPrefix, pathBases));
  conditions.push(
    ...startCondition('heading', headingPrefix),
    ...startCondition('symbol', symbolPrefix && symbolKey(symbolPrefix)),
  );
  return conditions;
}

function startCondition(what: Started, prefix = ''): readonly Condition[] {
  const lower = prefix.toLowerCase();
  const chars = START_CHARS.find((length) => lower.length >= length);
  return chars === undefined ? [] : [startsWithAny([hashed(what, lower.slice(0, chars))])];
}

/** None if the path may also be meant from a site's root and has no folder. */
function folderCondition(prefix: string, bases: readonly string[]): readonly Condition[] {
  const meant = ORIGIN.test(prefix)
    ? [prefix]
    : [prefix, ...bases.map((base) => `${base.slice(base.indexOf('/'))}${prefix.replace(/^\/+/, '')}`)];
  const folders = meant.map((path) => foldersOf(path).at(-1));
  return folders.includes(undefined) ? [] : [startsWithAny(folders.map((folder) => hashed('folder', folder ?? '')))];
}

function startsWithAny(hashes: readonly number[]): Condition {
  return { key: 'starts', match: { any: [...hashes, ANY] } };
}

/**
 * A term as a 32-bit number: FNV-1a over its code units, then the finalizer of MurmurHash3. A hash, not a table: an indexer and
 * a query then agree without a lookup, whichever came first. With n terms in the library a term shares its number with another
 * one with a probability of n / 2 ** 32, 0.1 % at four million; nearly always with one that occurs in a handful of chunks. These
 * become candidates with a score too high, and reranking, which reads their text, puts them where they belong.
 */
export function termId(term: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at += 1) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
