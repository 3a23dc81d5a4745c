// Further analyses of pages: each one's result is stored under its name, next to the key phrases. A specification has a field for
// `sentiment`, which is null until a heuristic of this name is in the list.

import type { DeepHeuristic } from './analyze-page.ts';

export const DEEP_HEURISTICS: readonly DeepHeuristic[] = [];
