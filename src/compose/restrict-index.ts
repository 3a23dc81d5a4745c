// The search index for a caller with rights to some sources only.

import { pinakesError } from '../core/model/errors.ts';
import type { VersionId } from '../core/model/run.ts';
import type { SearchIndex } from '../index/port.ts';
import type { Store } from '../store/port.ts';

/** Runs whose pages may still wait for the index. */
const RECENT_RUNS = 20;

/**
 * `visible` is the caller's restricted store. The total number of pages that wait would reveal other sources, so `lag` counts the versions
 * of recent visible runs that are not wholly searchable; it is 0 if none of their pages wait.
 */
export function restrictIndex(index: SearchIndex, visible: Store): SearchIndex {
  async function requireVisible(version: VersionId): Promise<void> {
    const sources = await visible.sources.list();
    const isVisible = sources.some(({ versions }) => versions.some(({ id }) => id === version));
    if (!isVisible) throw pinakesError('source.unknown', { source: '' });
  }
  return {
    frequencies: forbidden,
    candidates: forbidden,
    suggest: forbidden,
    nearest: forbidden,
    unsentVectors: forbidden,
    index: forbidden,
    compact: forbidden,
    problem: forbidden,
    verify: forbidden,
    async reindex(version) {
      await requireVisible(version);
      return index.reindex(version);
    },
    async isIndexed(version) {
      await requireVisible(version);
      return index.isIndexed(version);
    },
    async lag() {
      const versions = new Set((await visible.runs.list(RECENT_RUNS)).map(({ version }) => version));
      const waiting = await Promise.all([...versions].map(async (version) => !(await index.isIndexed(version))));
      return { pages: waiting.filter(Boolean).length, ageMs: 0 };
    },
  };
}

function forbidden(): Promise<never> {
  return Promise.reject(pinakesError('http.forbidden', { reason: 'This needs the right to all sources' }));
}
