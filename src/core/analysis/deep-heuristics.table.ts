// Further analyses of a page that can be plugged in: each one's result is stored under its name, next to the key phrases. A specification
// keeps a place for `sentiment`, which is null until a heuristic of this name is in the list.

import type { StoredText } from './analyze-page.ts';

export type HeuristicResult = { readonly [name: string]: string | number | boolean | null };

export interface DeepHeuristic {
  readonly name: string;
  /** Part of what is stored, so that a reader knows which one made it. */
  readonly version: number;
  /** Pure; null if it has nothing to say about the page. */
  readonly analyze: (page: StoredText) => HeuristicResult | null;
}

export const DEEP_HEURISTICS: readonly DeepHeuristic[] = [];
