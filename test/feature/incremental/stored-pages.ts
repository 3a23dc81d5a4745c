// The stored pages of a source, in a form in which two stores can be compared.

import type { Store } from '../../../src/store/port.ts';
import type { StoredChunk } from '../../../src/store/port/pages.ts';
import type { Run } from '../../../src/store/port/runs.ts';
import type { Source } from '../../../src/store/port/sources.ts';

export interface StoredPage {
  readonly url: string;
  readonly title: string;
  readonly contentHash: string;
  readonly text: string;
  readonly outline: unknown;
  readonly foundBy: string;
  readonly aliases: readonly string[];
  readonly chunks: ReadonlyArray<Omit<StoredChunk, 'page'>>;
}

/** Sorted by URL; without timestamps, which differ between crawls. */
export async function storedPages(store: Store, source: Source): Promise<readonly StoredPage[]> {
  const version = source.versions[0]!.id;
  const { pages } = await store.pages.list(version, null, 100_000);
  const stored: StoredPage[] = [];
  for (const { url } of pages) {
    const document = await store.pages.get(version, url);
    if (document === null) continue;
    const { title, contentHash, text, outline, foundBy } = document;
    const chunks = (await store.pages.chunksOf(version, url)).map(({ page: _, ...chunk }) => chunk);
    const aliases = await store.pages.aliasesOf(version, url);
    stored.push({ url, title, contentHash, text, outline, foundBy, aliases, chunks });
  }
  return stored.toSorted((a, b) => (a.url < b.url ? -1 : 1));
}

export function paths(pages: ReadonlyArray<{ readonly url: string }>): string[] {
  return pages.map(({ url }) => new URL(url).pathname);
}

/** The outcomes that are not zero. */
export function outcomes({ counts }: Run): Record<string, number> {
  const { found: _, bytes: __, requests: ___, downloads: ____, ...rest } = counts;
  return Object.fromEntries(Object.entries(rest).filter(([, n]) => n > 0));
}
