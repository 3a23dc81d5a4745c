// Sums the scores of pages, and computes shares from the sums.

import type { PageScore } from '../../test/data/extraction/score.ts';

export interface Sums extends Omit<PageScore, 'nearEmpty'> {
  readonly pages: number;
  /** Sums of the shares of single pages, over the pages that have words. */
  readonly pagesWithWords: number;
  readonly pageRecall: number;
  readonly pagePrecision: number;
  readonly nearEmpty: number;
}

export interface Metrics extends Sums {
  readonly codeShare: number | null;
  readonly languageShare: number | null;
  readonly headingShare: number | null;
  readonly headingLevelShare: number | null;
  /** Mean over pages: a large page weighs as much as a small one. */
  readonly precision: number | null;
  readonly recall: number | null;
  /** Over all words together. */
  readonly wordPrecision: number | null;
  readonly wordRecall: number | null;
}

/** One extractor, over the sample or one split of it. */
export interface Measured {
  readonly command: string;
  readonly commit: string;
  readonly date: string;
  readonly node: string;
  /** SHA-256 of the ground truth it was measured with. */
  readonly truths: string;
  readonly failedPages: number;
  readonly splits: Readonly<Record<string, Metrics>>;
  readonly families: Readonly<Record<string, Metrics>>;
}

export interface Results {
  readonly firstUnseen: Measured | null;
  readonly extractors: Readonly<Record<string, Measured>>;
}

export const noSums: Sums = {
  pages: 0,
  codes: 0,
  codesExact: 0,
  languages: 0,
  languagesKept: 0,
  headings: 0,
  headingsFound: 0,
  headingsAtLevel: 0,
  wordsWanted: 0,
  wordsFound: 0,
  wordsWritten: 0,
  wordsRight: 0,
  pagesWithWords: 0,
  pageRecall: 0,
  pagePrecision: 0,
  nearEmpty: 0,
};

export function addScore(sums: Sums, score: PageScore): Sums {
  const hasWords = score.wordsWanted > 0;
  return {
    pages: sums.pages + 1,
    codes: sums.codes + score.codes,
    codesExact: sums.codesExact + score.codesExact,
    languages: sums.languages + score.languages,
    languagesKept: sums.languagesKept + score.languagesKept,
    headings: sums.headings + score.headings,
    headingsFound: sums.headingsFound + score.headingsFound,
    headingsAtLevel: sums.headingsAtLevel + score.headingsAtLevel,
    wordsWanted: sums.wordsWanted + score.wordsWanted,
    wordsFound: sums.wordsFound + score.wordsFound,
    wordsWritten: sums.wordsWritten + score.wordsWritten,
    wordsRight: sums.wordsRight + score.wordsRight,
    pagesWithWords: sums.pagesWithWords + (hasWords ? 1 : 0),
    pageRecall: sums.pageRecall + (hasWords ? score.wordsFound / score.wordsWanted : 0),
    pagePrecision: sums.pagePrecision + (hasWords ? pagePrecision(score) : 0),
    nearEmpty: sums.nearEmpty + (score.nearEmpty ? 1 : 0),
  };
}

/** No text is not wrong text; what is missing shows in the recall. */
function pagePrecision(score: PageScore): number {
  return score.wordsWritten === 0 ? 1 : score.wordsRight / score.wordsWritten;
}

export function metricsOf(sums: Sums): Metrics {
  return {
    ...sums,
    codeShare: share(sums.codesExact, sums.codes),
    languageShare: share(sums.languagesKept, sums.languages),
    headingShare: share(sums.headingsFound, sums.headings),
    headingLevelShare: share(sums.headingsAtLevel, sums.headings),
    precision: share(sums.pagePrecision, sums.pagesWithWords),
    recall: share(sums.pageRecall, sums.pagesWithWords),
    wordPrecision: share(sums.wordsRight, sums.wordsWritten),
    wordRecall: share(sums.wordsFound, sums.wordsWanted),
  };
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 100_000) / 100_000;
}
