// The labels of page signals and passage features in output for people. docs/guides/retrieval.md explains them.

import type { SignalName } from '../rank/rank-weights.table.ts';
import type { FeatureName } from './answer-weights.table.ts';

export const signalLabels: Readonly<Record<SignalName, string>> = {
  chunk: 'best chunk',
  secondBestChunk: 'second-best chunk',
  thirdBestChunk: 'third-best chunk',
  lead: 'start of the page',
  page: 'whole page',
  coverage: 'terms in the best chunk',
  pageCoverage: 'terms on the page',
  headingFit: 'heading fits',
  proximity: 'terms close together',
  nameInHeading: 'name in a heading',
  named: 'named by the query',
  titleFit: 'title of the page of a package fits',
  titleWords: 'words in the title',
  length: 'length of the page',
  depth: 'depth of the path',
  inlinks: 'pages that link to it',
  phrase: 'words as in the query',
  isIndex: 'index page',
  isHub: 'page of links',
  isChangelog: 'changelog',
  isGeneratedListing: 'generated listing',
  isPreferred: 'source used before',
  isNamedSource: 'source named by the query',
  meaningLead: 'meaning of the start of the page',
  meaningBest: 'meaning of the nearest chunk',
};

export const featureLabels: Readonly<Record<FeatureName, string>> = {
  share: 'score of the page',
  rank: 'rank of the page',
  isNamedSource: 'source named by the query',
  lexical: 'score of the chunk',
  chunkRank: 'rank of the chunk on its page',
  first: 'first chunk of the page',
  isSecondChunk: 'second chunk of the page',
  isThirdOrFourthChunk: 'third or fourth chunk of the page',
  isFifthOrSixthChunk: 'fifth or sixth chunk of the page',
  precedesGood: 'before a good chunk',
  similarity: 'similar meaning',
  heading: 'heading fits',
  named: 'named by the query',
  matched: 'terms in the passage',
  unmatched: 'no term in the passage',
  meaning: 'similar words',
};
