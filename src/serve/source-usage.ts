// Counts how often each source served a result, so that the most used ones are named first. In memory only: what was
// asked is private.

import type { CallAction } from './call-action.ts';

interface UsedResult {
  readonly source?: string;
  readonly passages?: ReadonlyArray<{ readonly source: string }>;
}

interface ListedResult {
  readonly sources: ReadonlyArray<{ readonly source: string }>;
}

const USING_ACTIONS: ReadonlySet<string> = new Set(['search_docs', 'read_docs']);

/** All calls that it wraps count together; `list_sources` shows the counts. */
export function createUseCounter(): (call: CallAction) => CallAction {
  const uses = new Map<string, number>();
  return (call) =>
    async (action, ...rest) => {
      const result = await call(action, ...rest);
      if (USING_ACTIONS.has(action)) {
        const { source, passages = [] } = result as UsedResult;
        const used = new Set(source === undefined ? passages.map((passage) => passage.source) : [source]);
        for (const name of used) uses.set(name, (uses.get(name) ?? 0) + 1);
      }
      if (action !== 'list_sources') return result;
      const listed = result as ListedResult;
      const sources = listed.sources.map((one) => ({ ...one, uses: uses.get(one.source) ?? 0 }));
      return { ...listed, sources };
    };
}
