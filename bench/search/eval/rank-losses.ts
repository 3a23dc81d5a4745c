// Where the page that answers a question stands, and which reason put another page before it.

import { rankWeights } from '../../../src/core/rank/rank-weights.table.ts';
import type { RankedPage } from '../../../src/core/rank/rank-pages.ts';
import { signalNames, type RankCandidate, type SignalName, type Signals } from '../../../src/core/rank/signals.ts';
import { pageKey, type Question } from '../read-questions.ts';

export const standings = ['first', 'two to ten', 'below ten', 'no candidate'] as const;
export type Standing = (typeof standings)[number];

export interface RankLoss {
  readonly standing: Standing;
  /** Where it is not first: what speaks most for the first page, or least for the one that answers. */
  readonly because: SignalName | 'vectors' | null;
}

const TEN = 10;

export function rankLossOf(question: Question, pages: ReadonlyArray<RankedPage<RankCandidate>>): RankLoss {
  const answering = question.gold.filter(({ rel }) => rel === 2);
  const keys = new Set(answering.flatMap(({ url_path: path, aliases }) => [path, ...aliases]).map(pageKey));
  const at = pages.findIndex(
    ({ candidate, copies }) =>
      candidate.source === question.site && [candidate.url, ...copies].some((url) => keys.has(pageKey(url))),
  );
  const standing = at === -1 ? 'no candidate' : at === 0 ? 'first' : at < TEN ? 'two to ten' : 'below ten';
  const [first] = pages;
  const own = pages[at];
  const because = first === undefined || own === undefined || at === 0 ? null : widest(first.signals, own.signals);
  return { standing, because };
}

/** The signal by which the first page leads most; `vectors` where words alone would not have put it there. */
function widest(first: Signals, own: Signals): SignalName | 'vectors' {
  const leads = signalNames.map((name) => ({ name, lead: rankWeights[name] * (first[name] - own[name]) }));
  const total = leads.reduce((sum, { lead }) => sum + lead, 0);
  if (total < 0) return 'vectors';
  return leads.reduce((most, one) => (one.lead > most.lead ? one : most)).name;
}

export function rankLossTable(losses: readonly RankLoss[]): Record<string, number> {
  const places = standings.map((name) => [name, losses.filter(({ standing }) => standing === name).length] as const);
  const reasons = Map.groupBy(
    losses.flatMap(({ because }) => because ?? []),
    (name) => name,
  );
  const counted = [...reasons].map(([name, some]) => [`behind by ${name}`, some.length] as const);
  return Object.fromEntries([...places, ...counted.sort(([, left], [, right]) => right - left)]);
}
