// Scores how likely each part of the candidate chunks answers the query: a sum of weighted features, fitted to the evidence
// of the questions in test/quality.

import { matchTerms } from '../lexical/query/match-terms.ts';
import type { ParsedQuery } from '../lexical/query/parsed-query.ts';
import { nameFit } from '../rank/name-fit.ts';
import { headingFit } from '../rank/rank-pages.ts';
import { answerWeights, featureNames, type FeatureName } from './answer-weights.table.ts';
import type { PageCandidates, PassageCandidate } from './passage-candidates.ts';
import type { PassagePart } from './passage-parts.ts';

export interface ScoredPart extends PassagePart {
  /** Index of the page. */
  readonly page: number;
  /** Id and position of its chunk, and its index among the parts of the chunk. */
  readonly chunk: string;
  readonly position: number;
  readonly nth: number;
  /** Whether it is the last part of its chunk. */
  readonly endsChunk: boolean;
  /** A log likelihood, relative to the other parts. */
  readonly score: number;
  /** What the score is the weighted sum of. */
  readonly features: Features;
  /** Whether its text was shortened. */
  readonly isCut?: boolean;
}

/** In the order of the pages, and in page order within each. */
export function scoreParts(query: ParsedQuery, pages: readonly PageCandidates[]): ScoredPart[] {
  const best = Math.max(MIN_SHARE, ...pages.map(({ score }) => score));
  const parts = pages.flatMap(({ score, candidates }, page) => {
    const share = Math.log(Math.max(MIN_SHARE, score / best));
    return scorePage(query, candidates, { share, rank: -Math.log(1 + page) }).map((part) => ({ ...part, page }));
  });
  return withMeaning(query, parts);
}

/** Parts whose word vectors are compared: those that fit best without them. */
const COMPARED_PARTS = 40;
/** The mean of all parts: what a part that is not compared is taken to have. */
const MEAN_SIMILARITY = 0.25;

function withMeaning({ similarityTo }: ParsedQuery, parts: readonly ScoredPart[]): ScoredPart[] {
  if (similarityTo === undefined) return [...parts];
  const best = new Set(parts.toSorted((left, right) => right.score - left.score).slice(0, COMPARED_PARTS));
  return parts.map((part) => {
    const { text, headings } = part;
    const meaning = best.has(part) ? similarityTo({ text, headings: headings.slice(-1) }) : MEAN_SIMILARITY;
    const features = { ...part.features, meaning };
    return { ...part, features, score: scoreOf(features) };
  });
}

/** A page with almost none of the best page's score may still be shown if the budget allows. */
const MIN_SHARE = 0.05;

export type Features = Readonly<Record<FeatureName, number>>;
type PageFeatures = Pick<Features, 'share' | 'rank'>;

function scorePage(
  query: ParsedQuery,
  candidates: readonly PassageCandidate[],
  pageFeatures: PageFeatures,
): Array<Omit<ScoredPart, 'page'>> {
  const scores = new Map(candidates.map(({ position, score }) => [position, score]));
  const best = Math.max(MIN_SHARE, ...scores.values());
  const ranked = [...scores.values()].sort((left, right) => right - left);
  return candidates.flatMap((candidate) => {
    const { position, parts } = candidate;
    const chunkFeatures = {
      ...pageFeatures,
      lexical: candidate.score,
      chunkRank: -Math.log(1 + ranked.indexOf(candidate.score)),
      first: Number(position === 0),
      second: Number(position === 1),
      third: Number(position === 2 || position === 3),
      fifth: Number(position === 4 || position === 5),
      precedesGood: (scores.get(position + 1) ?? 0) / best,
      similarity: candidate.similarity,
    };
    return parts.map((part, nth) => {
      const named = part.section === null ? 0 : nameFit(query.names, part.section);
      const features = { ...chunkFeatures, ...partFeatures(query, part), named, meaning: 0 };
      return {
        ...part,
        chunk: candidate.chunk,
        position,
        nth,
        endsChunk: nth + 1 === parts.length,
        score: scoreOf(features),
        features,
      };
    });
  });
}

function partFeatures(
  query: ParsedQuery,
  { text, headings }: PassagePart,
): Pick<Features, 'heading' | 'matched' | 'unmatched'> {
  const seen = new Set<string>();
  matchTerms(query.matcher, text, (term) => seen.add(term));
  let weight = 0;
  for (const term of seen) weight += query.termWeights.get(term) ?? 0;
  return {
    heading: headingFit(query, headings),
    matched: weight / query.totalWeight,
    unmatched: Number(seen.size === 0),
  };
}

function scoreOf(features: Features): number {
  return featureNames.reduce((sum, name) => sum + answerWeights[name] * features[name], 0);
}
