// The sources that an assistant used before: those that it named, and those whose pages it read. A query that names none
// most likely is about one of them, so a search ranks them a little higher. In memory only, and only where a process has
// one client: the queries of one client do not change the answers of others.

import { createLruCache } from '../../core/lru-cache.ts';

export interface UsedSources {
  /** What is added to the input of a tool. */
  inputFor(action: string, input: object): { readonly prefer?: readonly string[] };
  /** To be called with each result. */
  note(action: string, input: object, result: object): void;
}

/** A project rarely uses more at a time. */
const MAX_USED = 5;
/** Questions whose answers can be continued. */
const MAX_QUESTIONS = 100;

interface Named {
  readonly source?: unknown;
  readonly query?: unknown;
  readonly offset?: unknown;
}

/** Tools that are about one source, which their input or their result names. */
const USING_TOOLS: ReadonlySet<string> = new Set(['search_docs', 'read_docs', 'outline']);

export function createUsedSources(): UsedSources {
  /** The latest first. */
  let used: readonly string[] = [];
  const preferred = createLruCache<string, readonly string[]>(MAX_QUESTIONS);
  return {
    inputFor(action, input) {
      const { source, query, offset = 0 } = input as Named;
      if (action !== 'search_docs' || source !== undefined) return {};
      const text = String(query);
      // The order of an answer must not change before it is continued.
      const prefer = (offset === 0 ? undefined : preferred.get(text)) ?? used;
      preferred.set(text, prefer);
      return { prefer };
    },
    note(action, input, result) {
      if (!USING_TOOLS.has(action)) return;
      const source = (input as Named).source ?? (result as Named).source;
      const named = [source].flat().filter((name) => typeof name === 'string');
      used = [...new Set([...named, ...used])].slice(0, MAX_USED);
    },
  };
}
