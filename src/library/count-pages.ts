// How many pages the library holds. It costs a pass over all of them, so a search or a look at a run never asks.

import type { Source, Store, Version } from '../store/port.ts';

export interface PageCounts {
  readonly sources: readonly Source[];
  readonly of: (version: Version) => number;
  readonly total: number;
}

export async function countPages(store: Store): Promise<PageCounts> {
  const [sources, figures] = await Promise.all([store.sources.list(), store.figures.versions()]);
  const pages = new Map(figures.map((one) => [one.version, one.pages]));
  const of = ({ id }: Version): number => pages.get(id) ?? 0;
  const total = sources.flatMap(({ versions }) => versions).reduce((sum, version) => sum + of(version), 0);
  return { sources, of, total };
}
