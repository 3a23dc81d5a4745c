// Reports where the page that answers a question ranks, and which signal put another page before it.

import type { RankCandidate, RankedPage } from '../../../src/core/rank/rank-pages.ts';
import { rankWeights, signalNames, type SignalName, type Signals } from '../../../src/core/rank/rank-weights.table.ts';
import { pageKey, type Question } from '../read-questions.ts';

export const rankBuckets = ['first', 'two to ten', 'below ten', 'no candidate'] as const;
export type RankBucket = (typeof rankBuckets)[number];

export interface RankLoss {
  readonly bucket: RankBucket;
  /** If it is not first: the signal by which the first page leads most. */
  readonly reason: SignalName | 'vectors' | null;
}

const TEN = 10;

export function rankLossOf(question: Question, pages: ReadonlyArray<RankedPage<RankCandidate>>): RankLoss {
  const answering = question.gold.filter(({ rel }) => rel === 2);
  const keys = new Set(answering.flatMap(({ url_path: path, aliases }) => [path, ...aliases]).map(pageKey));
  const at = pages.findIndex(
    ({ candidate, copies }) =>
      candidate.source === question.site && [candidate.url, ...copies].some((url) => keys.has(pageKey(url))),
  );
  const bucket = at === -1 ? 'no candidate' : at === 0 ? 'first' : at < TEN ? 'two to ten' : 'below ten';
  const [first] = pages;
  const gold = pages[at];
  const reason = first === undefined || gold === undefined || at === 0 ? null : widest(first.signals, gold.signals);
  return { bucket, reason };
}

/** The signal by which the first page leads most; `vectors` if lexical search alone would not have put it there. */
function widest(first: Signals, gold: Signals): SignalName | 'vectors' {
  const leads = signalNames.map((name) => ({ name, lead: rankWeights[name] * (first[name] - gold[name]) }));
  const total = leads.reduce((sum, { lead }) => sum + lead, 0);
  if (total < 0) return 'vectors';
  return leads.reduce((most, one) => (one.lead > most.lead ? one : most)).name;
}

export function rankLossTable(losses: readonly RankLoss[]): Record<string, number> {
  const buckets = rankBuckets.map((name) => [name, losses.filter(({ bucket }) => bucket === name).length] as const);
  const reasons = Map.groupBy(
    losses.flatMap(({ reason }) => reason ?? []),
    (name) => name,
  );
  const counted = [...reasons].map(([name, some]) => [`behind by ${name}`, some.length] as const);
  return Object.fromEntries([...buckets, ...counted.sort(([, left], [, right]) => right - left)]);
}
