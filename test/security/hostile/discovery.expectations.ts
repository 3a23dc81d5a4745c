// Hostile sitemaps and llms.txt files.

import { expect } from 'vitest';
import type { LlmsFullSplit } from '../../../src/core/discover/llms/llms-full-page.ts';
import type { LlmsTxt } from '../../../src/core/discover/llms/llms-txt.ts';
import { textResponseProblem } from '../../../src/core/discover/text-response.ts';
import type { SitemapOutcome } from '../../../src/core/discover/sitemap/sitemap-entry.ts';
import { admittedUrls } from './admitted-urls.ts';

interface FileExpectation<Result> {
  readonly withinMs?: number;
  readonly check: (result: Result) => void;
}

const urls = ({ entries }: SitemapOutcome) => entries.map(({ url }) => url);
const reason = ({ stopped }: SitemapOutcome) => stopped?.reason;
const refusedAtDoctype = (outcome: SitemapOutcome) => {
  expect(reason(outcome)).toBe('doctype');
  expect(outcome.entries).toEqual([]);
};
const oneSitemap = (url: string) => (outcome: SitemapOutcome) =>
  expect(outcome.entries).toEqual([{ kind: 'sitemap', url, lastModified: null }]);

export const sitemapExpectations: Readonly<Record<string, FileExpectation<SitemapOutcome>>> = {
  'xml-billion-laughs': { withinMs: 50, check: refusedAtDoctype },
  'xml-quadratic': { check: refusedAtDoctype },
  'xml-numeric-entities': {
    withinMs: 2000,
    check: ({ entries, skipped }) => expect([entries, skipped]).toEqual([[], 1]),
  },
  'xml-xxe-file': { check: refusedAtDoctype },
  'xml-xxe-http': { check: refusedAtDoctype },
  'xml-param-entity': { check: refusedAtDoctype },
  'xml-xinclude': { check: ({ entries }) => expect(entries).toEqual([]) },
  'xml-deep': { check: (outcome) => expect(outcome.stopped).not.toBeNull() },
  'xml-huge-attr': { check: ({ entries }) => expect(entries).toEqual([]) },
  'sitemap-50001': {
    withinMs: 3000,
    check: (outcome) => {
      expect(outcome.entries).toHaveLength(50_000);
      expect(reason(outcome)).toBe('too-many-entries');
    },
  },
  'sitemap-index-self': { check: oneSitemap('https://h.test/sitemap.xml') },
  'sitemap-index-fanout': {
    check: (outcome) => {
      expect(outcome.entries.length).toBeLessThanOrEqual(50_000);
      expect(new Set(outcome.entries.map(({ kind }) => kind))).toEqual(new Set(['sitemap']));
    },
  },
  'sitemap-nested-index': { check: oneSitemap('https://h.test/index2.xml') },
  'sitemap-cross-host': { check: (outcome) => expect(admittedUrls(urls(outcome))).toEqual(['https://h.test/ok']) },
  'sitemap-bad-lastmod': {
    check: ({ entries }) =>
      expect(entries.map(({ url, lastModified }) => [url, lastModified])).toEqual([
        ['https://h.test/a', null],
        ['https://h.test/b', '2099-01-01'],
      ]),
  },
  'sitemap-whitespace-cdata': {
    check: (outcome) => expect(urls(outcome)).toEqual(['https://h.test/a?x=1&y=2', 'https://h.test/b?x=1&y=2']),
  },
  'sitemap-bom-html': {
    check: (outcome) => {
      expect(outcome.entries).toEqual([]);
      expect(outcome.stopped).not.toBeNull();
    },
  },
  'sitemap-text': { check: (outcome) => expect(urls(outcome)).toEqual(['https://h.test/a', 'https://h.test/b']) },
  'feed-rss-entity': { check: (outcome) => expect(urls(outcome)).toEqual(['https://h.test/a']) },
};

const problemOf = (body: string) => textResponseProblem({ status: 200, mediaType: 'text/plain', body });

export const llmsExpectations: Readonly<Record<string, FileExpectation<LlmsTxt>>> = {
  'llms-basic': {
    check: ({ links }) =>
      expect(links.map(({ url, optional }) => [url, optional])).toEqual([
        ['https://h.test/a.md', false],
        ['https://h.test/b', false],
        ['https://h.test/c', true],
      ]),
  },
  'llms-private-links': { check: ({ links }) => expect(admittedUrls(links.map(({ url }) => url))).toEqual([]) },
  'llms-million': {
    withinMs: 3000,
    check: ({ links, truncated }) => {
      expect(links).toHaveLength(50_000);
      expect(truncated).toBe(true);
    },
  },
  'llms-html-404': {
    check: ({ links }) => {
      expect(links).toEqual([]);
      expect(problemOf('<!doctype html><html><body>Not found</body></html>')).toBe('the body is HTML');
    },
  },
  'llms-injection': {
    check: ({ links }) => {
      expect(links.map(({ url }) => url)).toEqual(['https://h.test/a']);
      // The llms.txt file itself is never a page.
      expect(admittedUrls(['https://h.test/llms.txt', 'https://h.test/a'])).toEqual(['https://h.test/a']);
    },
  },
  'llms-redos': { withinMs: 200, check: ({ links }) => expect(links).toEqual([]) },
};

export const llmsFullExpectations: Readonly<Record<string, FileExpectation<LlmsFullSplit>>> = {
  'llms-full-giant': {
    check: ({ pages, gaps }) => {
      // Nothing separates its pages: the whole file is reported as a gap, and no page is invented.
      expect(pages).toEqual([]);
      expect(gaps.map(({ firstLine, lastLine }) => [firstLine, lastLine])).toEqual([[1, 2_400_001]]);
    },
  },
};
