// How many pages the library holds, by the counts that the store keeps of each version.

import type { Source, Store, Version } from '../store/port.ts';

export interface PageCounts {
  readonly sources: readonly Source[];
  readonly pagesOf: (version: Version) => number;
  readonly total: number;
}

export async function countPages(store: Store): Promise<PageCounts> {
  const [sources, stats] = await Promise.all([store.sources.list(), store.stats.versions()]);
  const pages = new Map(stats.map(({ version, pages: count }) => [version, count]));
  const pagesOf = ({ id }: Version): number => pages.get(id) ?? 0;
  const total = sources.flatMap(({ versions }) => versions).reduce((sum, version) => sum + pagesOf(version), 0);
  return { sources, pagesOf, total };
}
