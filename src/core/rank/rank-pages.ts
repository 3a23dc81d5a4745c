// Orders candidate pages: each by the weighed sum of its signals, copies of one text folded into the best of them.

import type { Question } from '../lexical/query/parsed-query.ts';
import { rankWeights } from './rank-weights.table.ts';
import { signalNames, signalsOf, type RankCandidate, type SignalName, type Signals } from './signals.ts';
import { withoutLinkTargets } from './strip-link-targets.ts';

export interface RankedPage<Candidate extends RankCandidate> {
  readonly candidate: Candidate;
  readonly score: number;
  readonly signals: Signals;
  /** URLs of pages that say the same and stand lower. */
  readonly copies: readonly string[];
}

export type RankWeights = Readonly<Record<SignalName, number>>;

/** Equal scores stand in the order of their URLs, so that every engine gives the same answer. */
export function rankPages<Candidate extends RankCandidate>(
  question: Question,
  candidates: readonly Candidate[],
  weights: RankWeights = rankWeights,
): Array<RankedPage<Candidate>> {
  const scored = candidates.map((candidate) => {
    const signals = signalsOf(question, candidate);
    return { candidate, score: weighed(signals, weights), signals };
  });
  scored.sort((left, right) => right.score - left.score || compareUrls(left.candidate.url, right.candidate.url));
  return folded(scored);
}

export function weighed(signals: Signals, weights: RankWeights): number {
  return signalNames.reduce((total, name) => total + weights[name] * signals[name], 0);
}

type Scored<Candidate extends RankCandidate> = Omit<RankedPage<Candidate>, 'copies'>;

/** The same passage under the same title is one find, wherever it is published. */
function folded<Candidate extends RankCandidate>(
  scored: ReadonlyArray<Scored<Candidate>>,
): Array<RankedPage<Candidate>> {
  const first = new Map<string, RankedPage<Candidate> & { readonly copies: string[] }>();
  const titles = Map.groupBy(scored, ({ candidate }) => candidate.title);
  for (const page of scored) {
    const { title, text } = page.candidate;
    // Most titles stand alone: their passages are compared with nothing.
    const isAlone = titles.get(title)?.length === 1;
    const key = isAlone ? title : `${title}\n${withoutLinkTargets(text)}`;
    const known = first.get(key);
    if (known === undefined) first.set(key, { ...page, copies: [] });
    else known.copies.push(page.candidate.url);
  }
  return [...first.values()];
}

/** The shorter one, then the first by letters: where several copies are as good, the plainest address stands. */
function compareUrls(left: string, right: string): number {
  return left.length - right.length || (left < right ? -1 : Number(left > right));
}
