// An engine in place of Qdrant that costs nothing: it counts the pages that it is sent, and finds none.

import type { Nodes } from '../../src/index/qdrant/nodes.ts';

export interface CountingEngine {
  readonly nodes: Nodes;
  /** Numbers of the pages that were sent, each as often as it was. */
  readonly pages: readonly number[];
  readonly points: () => number;
}

export function createCountingEngine(): CountingEngine {
  const pages: number[] = [];
  let points = 0;
  const answer = (path: string, body: unknown): unknown => {
    if (path.endsWith('/exists')) return { exists: true };
    if (path.endsWith('/points/scroll') || path.endsWith('/points/query')) return { points: [] };
    if (path === '/collections') return { collections: [] };
    if (path === '/aliases') return { aliases: [] };
    if (path === '/cluster') return { status: 'disabled' };
    if (path.endsWith('/points?wait=true')) {
      const sent = (body as { points: ReadonlyArray<{ id: number }> }).points;
      points += sent.length;
      if (path.includes('-pages/')) pages.push(...sent.map(({ id }) => id));
    }
    return {};
  };
  const nodes: Nodes = {
    read: async <T>({ path, body }: { path: string; body?: unknown }) => answer(path, body) as T,
    write: async <T>({ path, body }: { path: string; body?: unknown }) => answer(path, body) as T,
    versions: async () => [],
  };
  return { nodes, pages, points: () => points };
}
