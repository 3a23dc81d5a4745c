// Who reads a text: an agent, which calls a tool next, or the user of a terminal, who types a command. The same facts for both.

import type { OutcomeName } from '../../core/model/outcome.ts';

export interface Reader {
  readonly emptyLibrary: string;
  readonly noRuns: string;
  readonly otherWords: string;
  readonly followRun: (run: number) => string;
  readonly moreProblems: string;
  /** How to list the URLs of an outcome, from a cursor on if there is one; null for a reader that gets each reason once. */
  readonly moreUrls: ((outcome: OutcomeName, cursor: string | null) => string) | null;
}

export const AGENT: Reader = {
  emptyLibrary:
    'The library is empty: no documentation is indexed yet. Call add_source with its URL if you have that tool; otherwise ask the user to run: pinakes add URL --wait',
  noRuns: 'There are no runs: nothing was crawled yet.',
  otherWords: 'Try fewer or different words, or call list_sources.',
  followRun: () => 'Follow it with crawl_status, and search again when it has ended.',
  moreProblems: 'ask the user to run pinakes problems',
  moreUrls: (outcome, cursor) =>
    cursor === null
      ? `call crawl_status with outcome ${outcome}; URLs are kept for the latest run of a source`
      : `call crawl_status with outcome ${outcome} and cursor ${cursor}`,
};

export const TERMINAL: Reader = {
  emptyLibrary: 'The library is empty. Start with: pinakes add https://docs.example.dev --wait',
  noRuns: 'No runs yet. Start with: pinakes add https://docs.example.dev --wait',
  otherWords: 'Try fewer or different words.',
  followRun: (run) => `Follow it: pinakes status ${run}`,
  moreProblems: 'pinakes problems',
  moreUrls: null,
};
