import { expect, test } from 'vitest';
import type { SearchResult } from '../../actions/search-docs.ts';
import { resultText } from './result-text.ts';

const NOTHING: SearchResult = {
  mode: 'lexical',
  searched: [],
  preferred: [],
  passages: [],
  confidence: null,
  isWeak: false,
  tokens: 0,
  nextOffset: null,
  corrections: [],
  suggestions: [],
  crawling: [{ source: 'undici', run: 7, pages: 0, found: 43 }],
};

test('an agent that searches during a crawl is told to wait, not to try other words (finding T18)', () => {
  const text = resultText('search_docs', NOTHING);
  expect(text).toContain('undici is being crawled: 0 of 43 pages are stored so far. Follow it with crawl_status');
  expect(text).not.toContain('different words');
});

test('an agent that adds a source is told what to call next (finding T25)', () => {
  const text = resultText('add_source', { source: 'undici', run: 4, notes: ['It starts at\nthe same URL'] });
  expect(text).toContain('crawl_status and run "4"');
  expect(text).toContain('search_docs with source "undici"');
  expect(text.split('\n').at(-1)).toBe('It starts at the same URL');
});
