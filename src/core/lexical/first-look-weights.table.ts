// How pages are chosen for a closer look. Data, tuned on questions.

import type { FirstLookWeights } from './query/generate-candidates.ts';

export const firstLookWeights: FirstLookWeights = { page: 2, pageSaturation: 2, usualChunks: 10, lengthShare: 0.75 };
