// How near a page is to a question in meaning: its nearest chunk, its three nearest, and its beginning. One chunk that is near
// by chance says less than a page that is about it.

import type { FusionWeights } from './fusion-weights.table.ts';

export interface NearPlace {
  /** The chunk's place on its page. */
  readonly position: number;
  readonly similarity: number;
}

/** A page says in its first chunks what it is about. */
const LEAD = 2;
const THREE = 3;

/** `least` stands for chunks that are not known: those are at most as near as the last that is. A page without any has nothing. */
export function pageSimilarity(known: readonly NearPlace[], least: number, weights: FusionWeights): number {
  if (known.length === 0) return -1;
  const ordered = known.map(({ similarity }) => similarity).sort((left, right) => right - left);
  const best = ordered[0] ?? least;
  let three = 0;
  for (let nth = 0; nth < THREE; nth += 1) three += Math.max(least, ordered[nth] ?? least) / THREE;
  const leads = known.filter(({ position }) => position < LEAD).map(({ similarity }) => similarity);
  const lead = Math.max(least, ...leads);
  return (1 - weights.three - weights.lead) * best + weights.three * three + weights.lead * lead;
}
