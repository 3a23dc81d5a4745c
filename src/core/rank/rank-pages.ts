// Reranks candidate pages by a weighted sum of signals, and collapses copies of one passage into the best of them. Documentation
// comes before source views.

import { isGeneratedIndex } from '../classify/generated-pages.ts';
import { matchTerms } from '../lexical/query/match-terms.ts';
import { phraseText, weightOfTerms, type ParsedQuery } from '../lexical/query/parsed-query.ts';
import { isStopToken } from '../lexical/tokenize/stop-tokens.ts';
import { contentTokens } from '../lexical/tokenize/tokenize.ts';
import { nameFit } from './name-fit.ts';
import { rankWeights, signalNames, type Signals } from './rank-weights.table.ts';
import { stripLinkTargets } from './strip-link-targets.ts';
import { compareText } from '../text/compare-text.ts';
import { titleFit } from './title-fit.ts';

export interface RankCandidate {
  readonly url: string;
  readonly title: string;
  /** From the page title down. */
  readonly headings: readonly string[];
  readonly anchor: string | null;
  readonly symbol: string | null;
  readonly text: string;
  /** As classified by core/classify; null if unknown. */
  readonly pageKind: string | null;
  readonly pageChunks: number;
  /** Pages that link to it. */
  readonly inlinks: number;
  /** From candidate generation: the best chunk, the next two, the start of the page, and the page as a whole. */
  readonly chunkScore: number;
  readonly secondScore: number;
  readonly thirdScore: number;
  readonly leadScore: number;
  readonly pageScore: number;
  /** Sum of the weights of the terms that occur anywhere on the page. */
  readonly coveredWeight: number;
  /** Name of the source. */
  readonly source: string;
}

export interface RankedPage<Candidate extends RankCandidate> {
  readonly candidate: Candidate;
  readonly score: number;
  readonly signals: Signals;
  /** URLs of lower-ranked pages with the same passage. */
  readonly copies: readonly string[];
}

/** Equal scores are ordered by URL, so that every engine gives the same result. */
export function rankPages<Candidate extends RankCandidate>(
  query: ParsedQuery,
  candidates: readonly Candidate[],
  weights: Signals = rankWeights,
): Array<RankedPage<Candidate>> {
  const scored = candidates.map((candidate) => {
    const signals = computeSignals(query, candidate);
    return { candidate, score: weightedSum(signals, weights), signals };
  });
  return sourceViewsLast(collapseCopies(orderPages(scored)));
}

/**
 * Source views repeat the terms of the documentation and explain few: they follow the documentation, and only if they cover more
 * of the query than all of it. Their scores follow the order. A search that finds nothing else keeps them all.
 */
export function sourceViewsLast<Page extends Pick<RankedPage<RankCandidate>, 'candidate' | 'score'>>(
  pages: readonly Page[],
): Page[] {
  const documentation = pages.filter(({ candidate }) => candidate.pageKind !== 'source');
  const last = documentation.at(-1);
  if (last === undefined || documentation.length === pages.length) return [...pages];
  const covered = Math.max(...documentation.map(({ candidate }) => candidate.coveredWeight));
  const views = pages.filter(({ candidate }) => candidate.pageKind === 'source' && candidate.coveredWeight > covered);
  return [...documentation, ...views.map((page) => ({ ...page, score: Math.min(page.score, last.score) }))];
}

/** Best first. */
export function orderPages<Page extends Pick<RankedPage<RankCandidate>, 'candidate' | 'score'>>(
  pages: readonly Page[],
): Page[] {
  return pages.toSorted(
    (left, right) => right.score - left.score || compareUrls(left.candidate.url, right.candidate.url),
  );
}

export function weightedSum(signals: Signals, weights: Signals): number {
  return signalNames.reduce((total, name) => total + weights[name] * signals[name], 0);
}

type Scored<Candidate extends RankCandidate> = Omit<RankedPage<Candidate>, 'copies'>;

/** The same passage under the same title is one result, wherever it is published. A page that has copies keeps them. */
export function collapseCopies<Candidate extends RankCandidate>(
  scored: ReadonlyArray<Scored<Candidate> & Partial<Pick<RankedPage<Candidate>, 'copies'>>>,
): Array<RankedPage<Candidate>> {
  const first = new Map<string, RankedPage<Candidate> & { readonly copies: string[] }>();
  const titles = Map.groupBy(scored, ({ candidate }) => candidate.title);
  for (const page of scored) {
    const { title, text } = page.candidate;
    // Most titles are unique, and then their passages need no comparison.
    const isUnique = titles.get(title)?.length === 1;
    const key = isUnique ? title : `${title}\n${stripLinkTargets(text)}`;
    const winner = first.get(key);
    if (winner === undefined) first.set(key, { ...page, copies: [...(page.copies ?? [])] });
    else winner.copies.push(page.candidate.url, ...(page.copies ?? []));
  }
  return [...first.values()];
}

/** The shorter URL, then alphabetically: of equal copies the plainest URL wins. */
function compareUrls(left: string, right: string): number {
  return left.length - right.length || compareText(left, right);
}

/** Signals of a page and its best chunk, each about 0 to 1; `--explain` shows them. */
function computeSignals(query: ParsedQuery, candidate: RankCandidate): Signals {
  const { url, title, headings, text, symbol } = candidate;
  const path = pathOf(url);
  const positions = termPositions(query, `${headings.join('\n')}\n\n${text}`);
  return {
    chunk: candidate.chunkScore / query.totalWeight,
    secondBestChunk: candidate.secondScore / query.totalWeight,
    thirdBestChunk: candidate.thirdScore / query.totalWeight,
    lead: candidate.leadScore / query.totalWeight,
    page: candidate.pageScore / query.totalWeight,
    coverage: weightOfTerms(query, positions.keys()) / query.totalWeight,
    pageCoverage: candidate.coveredWeight / query.totalWeight,
    headingFit: headingFit(query, headings, title),
    proximity: proximity(query, positions),
    nameInHeading: identifiersFound(query, [title, ...headings, symbol ?? ''].join('\n')),
    named: nameFit(query, candidate),
    titleFit: titleFit(query, candidate),
    titleWords: Math.min(1, contentTokens(title).size / MAX_TITLE_WORDS),
    length: Math.log2(1 + candidate.pageChunks) / 10,
    depth: path.split('/').length / 10,
    inlinks: Math.log2(1 + candidate.inlinks) / 10,
    phrase: phraseShare(query, text),
    isIndex: Number(candidate.pageKind === 'index'),
    isHub: Number(candidate.pageKind === 'hub'),
    isChangelog: Number(isChangelog(path)),
    isGeneratedListing: Number(candidate.pageKind === 'source' || isGeneratedIndex(path)),
    isPreferred: Number(query.preferred?.has(candidate.source) ?? false),
    isNamedSource: Number(query.namesSource?.(candidate.source) ?? false),
    ...NOT_COMPARED,
  };
}

/** The signals of `rankByMeaning`, before it. */
const NOT_COMPARED = { meaningLead: 0, meaningBest: 0 };

/** Longer titles gain nothing. */
const MAX_TITLE_WORDS = 12;

/** How well the innermost heading fits the query: the share of the query that it covers, times the share of its words that match. */
export function headingFit(query: ParsedQuery, headings: readonly string[], title = headings[0]): number {
  const last = headings.findLast((heading) => heading !== title);
  if (last === undefined) return 0;
  const tokens = contentTokens(last);
  if (tokens.size === 0) return 0;
  const matched = [...tokens].filter((token) => query.termWeights.has(token));
  return (weightOfTerms(query, matched) / query.totalWeight) * (matched.length / tokens.size);
}

const MIN_PHRASE_WORDS = 3;
/** A longer phrase gains nothing. */
const MAX_PHRASE_WORDS = 5;

/** How much of a phrase of the query occurs in the text word by word, as error messages do; 0 for fewer than three words. */
function phraseShare({ words }: ParsedQuery, text: string): number {
  if (!mayHavePhrase(words, text.toLowerCase())) return 0;
  const inText = ` ${phraseText(text)} `;
  let longest = 0;
  for (let first = 0; first + longest < words.length && longest < MAX_PHRASE_WORDS; first += 1) {
    const limit = Math.min(words.length, first + MAX_PHRASE_WORDS);
    let end = first + longest + 1;
    while (end <= limit && inText.includes(` ${words.slice(first, end).join(' ')} `)) {
      longest = end - first;
      end += 1;
    }
  }
  return longest < MIN_PHRASE_WORDS ? 0 : longest / MAX_PHRASE_WORDS;
}

/** Whether as many words in a row as a phrase has occur anywhere in the text: a quick check that most texts fail. */
function mayHavePhrase(words: readonly string[], lowerText: string): boolean {
  let inRow = 0;
  return words.some((word) => {
    inRow = lowerText.includes(word) ? inRow + 1 : 0;
    return inRow === MIN_PHRASE_WORDS;
  });
}

/** Positions of the query terms in a text, stop words not counted. */
function termPositions(query: ParsedQuery, text: string): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  matchTerms(query.matcher, text, (term, position) => {
    if (isStopToken(term)) return;
    const found = positions.get(term);
    if (found === undefined) positions.set(term, [position]);
    else found.push(position);
  });
  return positions;
}

const MAX_DISTANCE = 10;

/** How close adjacent query terms are in the text: 1 if all of them are adjacent there too. */
function proximity(query: ParsedQuery, positions: ReadonlyMap<string, number[]>): number {
  let sum = 0;
  for (const { first, second, weight } of query.pairs) {
    const distance = minDistance(positions.get(first) ?? [], positions.get(second) ?? []);
    if (distance < MAX_DISTANCE) sum += weight / distance;
  }
  return sum / query.totalPairWeight;
}

/** The smallest distance between two sorted lists of positions. */
function minDistance(left: readonly number[], right: readonly number[]): number {
  let min = MAX_DISTANCE;
  let l = 0;
  let r = 0;
  while (l < left.length && r < right.length) {
    const distance = (right[r] ?? 0) - (left[l] ?? 0);
    min = Math.min(min, Math.max(1, Math.abs(distance)));
    if (distance === 1) return 1;
    if (distance > 0) l += 1;
    else r += 1;
  }
  return min;
}

function identifiersFound({ identifiers }: ParsedQuery, text: string): number {
  if (identifiers.length === 0) return 0;
  const lower = text.toLowerCase();
  return identifiers.filter((identifier) => lower.includes(identifier)).length / identifiers.length;
}

function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/]*/, '').replace(/[?#].*$/, '');
}

/** By path. Changelogs mention every term of the documentation and explain few. */
export function isChangelog(path: string): boolean {
  return /(?:whatsnew|changelog|change-?log|changes|releases?|release-?notes|history|news)(?:[/._-]|$)/i.test(path);
}
