// Reads pages with their headings in the order of URLs: all pages of a version, or those that a path stands for. Finds chunks by
// their symbols.

import { chunkPath } from '../../core/chunk/chunk-names.ts';
import { pathBase, urlPrefixes } from '../../core/lexical/query/path-filter.ts';
import { pinakesError } from '../../core/model/errors.ts';
import type { SymbolChunk } from '../../core/outline/list-outline.ts';
import type { Store } from '../../store/port.ts';
import type { OutlinedDocument } from '../../store/port/pages.ts';
import type { Source, Version } from '../../store/port/sources.ts';

export type ReadOutlines = (after: string | null, limit: number) => Promise<readonly OutlinedDocument[]>;

export interface VersionOfSource {
  readonly source: Source;
  readonly version: Version;
}

/** Raises `path.unknown` if no page matches. */
export async function openOutlines(store: Store, from: VersionOfSource, path = ''): Promise<ReadOutlines> {
  const prefixes = await prefixesOf(store, from, path);
  if (path !== '' && !(await hasPages(store, from, prefixes))) throw unknownPath(path, [from]);
  return async (after, limit) => {
    const pages: OutlinedDocument[] = [];
    for (const prefix of prefixes) {
      if (pages.length === limit) break;
      pages.push(...(await store.pages.outlines(from.version.id, { prefix, after, limit: limit - pages.length })));
    }
    return pages;
  };
}

const MAX_MATCHES = 5000;

export interface FoundSymbols {
  readonly entries: readonly SymbolChunk[];
  readonly isTruncated: boolean;
}

/** By the index of symbol names, whatever the number of pages. */
export async function findSymbols({ pages }: Store, version: Version, prefix: string): Promise<FoundSymbols> {
  const matches = await pages.symbols(version.id, prefix, MAX_MATCHES);
  const entries = matches.map(({ url, chunk, outline }) => ({ path: chunkPath(url), chunk, outline }));
  return { entries, isTruncated: matches.length === MAX_MATCHES };
}

/** Sources that are looked at to explain why nothing was found. */
const MAX_CHECKED = 100;

/** Raises `path.unknown` if no page of any of the versions matches. */
export async function requirePath(store: Store, versions: readonly VersionOfSource[], path: string): Promise<void> {
  if (versions.length > MAX_CHECKED) return;
  for (const one of versions) {
    if (await hasPages(store, one, await prefixesOf(store, one, path))) return;
  }
  throw unknownPath(path, versions);
}

const MAX_NAMED = 5;

function unknownPath(path: string, versions: readonly VersionOfSource[]): Error {
  const names = versions.map(({ source }) => source.name);
  const where = names.length > MAX_NAMED ? `${names.length} sources` : names.join(', ');
  return pinakesError('path.unknown', { path, where });
}

async function prefixesOf(
  store: Store,
  { source, version }: VersionOfSource,
  path: string,
): Promise<readonly string[]> {
  const origins = path === '' ? [] : await originsOf(store, version);
  return urlPrefixes(path, origins, pathBase(source.startUrl));
}

async function hasPages({ pages }: Store, { version }: VersionOfSource, prefixes: readonly string[]): Promise<boolean> {
  for (const prefix of prefixes)
    if ((await pages.byUrl(version.id, { prefix, after: null, limit: 1 })).length > 0) return true;
  return false;
}

/** A source rarely has pages of more than a few sites. */
const MAX_ORIGINS = 100;
const AFTER_ALL_PATHS = '\u{10ffff}';

/** From one site to the next in the order of URLs, so that it takes one read per site whatever the number of pages. */
async function originsOf(store: Store, version: Version): Promise<readonly string[]> {
  const origins: string[] = [];
  let after: string | null = null;
  while (origins.length < MAX_ORIGINS) {
    const [page] = await store.pages.byUrl(version.id, { prefix: '', after, limit: 1 });
    if (page === undefined) break;
    const [origin = page.url] = /^[^:]+:\/\/[^/]*/.exec(page.url) ?? [];
    origins.push(origin);
    after = `${origin}/${AFTER_ALL_PATHS}`;
  }
  return origins;
}
