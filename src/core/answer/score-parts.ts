// Scores how likely each part of the candidate chunks answers the query: a sum of weighted features, fitted to the evidence
// of the questions in test/data/quality.

import { matchedTerms, weightOfTerms, type ParsedQuery } from '../lexical/query/parsed-query.ts';
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
  const fits = createSectionFits(query);
  const meaning = query.similarityTo === undefined ? 0 : MEAN_SIMILARITY;
  const parts = pages.flatMap(({ score, source, candidates }, page) => {
    const features = {
      share: Math.log(Math.max(MIN_SHARE, score / best)),
      rank: -Math.log(1 + page),
      isNamedSource: Number(query.namesSource?.(source) ?? false),
      meaning,
    };
    return scorePage(fits, candidates, features).map((part) => ({ ...part, page }));
  });
  return withMeaning(query, withMatches(query, parts));
}

/** Parts whose text is searched for the terms of the query: those that fit best by their page, chunk and heading. */
const SEARCHED_PARTS = 120;
/** What a part that is not searched is taken to match. */
const MEAN_MATCHED = 0.1;

function withMatches(query: ParsedQuery, parts: readonly ScoredPart[]): ScoredPart[] {
  return refineBest(parts, SEARCHED_PARTS, (part) => ({
    ...matchFeatures(query, part.text),
    named: namedShare(query, part),
  }));
}

/** How much of the fit of a name depends on what else the section says of the query. */
const COVERED_SHARE = 0.7;

/**
 * A section that the query names counts less if the rest of the query is missing below its heading: the bare signature of
 * `on_commit` does not say when its callback runs.
 */
function namedShare(query: ParsedQuery, { features: { named }, headings, text }: ScoredPart): number {
  if (named === 0) return 0;
  const covered = weightOfTerms(query, matchedTerms(query, `${headings.at(-1) ?? ''}\n${text}`)) / query.totalWeight;
  return named * (1 - COVERED_SHARE + COVERED_SHARE * covered);
}

/** Parts whose word vectors are compared: those that fit best without them. */
const COMPARED_PARTS = 40;
/** The mean of all parts: what a part that is not compared is taken to have. */
const MEAN_SIMILARITY = 0.25;

function withMeaning({ similarityTo }: ParsedQuery, parts: readonly ScoredPart[]): ScoredPart[] {
  if (similarityTo === undefined) return [...parts];
  return refineBest(parts, COMPARED_PARTS, ({ text, headings }) => ({
    meaning: similarityTo({ text, headings: headings.slice(-1) }),
  }));
}

/** Computes features that are costly for the best `count` parts only. */
function refineBest(
  parts: readonly ScoredPart[],
  count: number,
  refine: (part: ScoredPart) => Partial<Features>,
): ScoredPart[] {
  const best = new Set(parts.toSorted((left, right) => right.score - left.score).slice(0, count));
  return parts.map((part) => {
    if (!best.has(part)) return part;
    const features = { ...part.features, ...refine(part) };
    return { ...part, features, score: scoreOf(features) };
  });
}

/** A page with almost none of the best page's score may still be shown if the budget allows. */
const MIN_SHARE = 0.05;

export type Features = Readonly<Record<FeatureName, number>>;
type PageFeatures = Pick<Features, 'share' | 'rank' | 'isNamedSource' | 'meaning'>;

/** How well the query fits the section of a part; parts of one section share it. */
type SectionFits = (part: PassagePart) => Pick<Features, 'heading' | 'named'>;

function createSectionFits(query: ParsedQuery): SectionFits {
  const known = new Map<readonly string[], Pick<Features, 'heading' | 'named'>>();
  return ({ headings, section }) => {
    let fits = known.get(headings);
    if (fits === undefined) {
      fits = { heading: headingFit(query, headings), named: section === null ? 0 : nameFit(query, section) };
      known.set(headings, fits);
    }
    return fits;
  };
}

function scorePage(
  fits: SectionFits,
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
      isSecondChunk: Number(position === 1),
      isThirdOrFourthChunk: Number(position === 2 || position === 3),
      isFifthOrSixthChunk: Number(position === 4 || position === 5),
      precedesGood: (scores.get(position + 1) ?? 0) / best,
      similarity: candidate.similarity,
      matched: MEAN_MATCHED,
      unmatched: 0,
    };
    return parts.map((part, nth) => {
      const features = { ...chunkFeatures, ...fits(part) };
      const endsChunk = nth + 1 === parts.length;
      return { ...part, chunk: candidate.chunk, position, nth, endsChunk, score: scoreOf(features), features };
    });
  });
}

function matchFeatures(query: ParsedQuery, text: string): Pick<Features, 'matched' | 'unmatched'> {
  const terms = matchedTerms(query, text);
  return { matched: weightOfTerms(query, terms) / query.totalWeight, unmatched: Number(terms.size === 0) };
}

function scoreOf(features: Features): number {
  return featureNames.reduce((sum, name) => sum + answerWeights[name] * features[name], 0);
}
