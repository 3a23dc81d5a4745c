// Additional page heuristics: each result is stored under the name of its heuristic, next to the key phrases. A specification has a field
// for `sentiment`, which is null until a heuristic with this name is in the list.

import type { DeepHeuristic } from './analyze-page.ts';

export const DEEP_HEURISTICS: readonly DeepHeuristic[] = [];
