// Hostile HTML.

import { expect } from 'vitest';
import { MAX_LINKS } from '../../../src/core/extract/extractor.ts';
import { admittedUrls } from './admitted-urls.ts';
import { codeOf, parsedPage, type Expectations, type Outcome } from './expectation.ts';

const text = (outcome: Outcome) => parsedPage(outcome).document.text;
const hrefs = (outcome: Outcome) => parsedPage(outcome).document.links.map(({ href }) => href);
const reason = (outcome: Outcome) => {
  const { verdict } = parsedPage(outcome);
  return verdict.kind === 'not-content' ? verdict.reason : verdict.kind;
};
const isRead = (outcome: Outcome) => expect(parsedPage(outcome).document.format).toBe('markdown');

export const htmlExpectations: Expectations = {
  'html-deep-div': { withinMs: 5000, check: (outcome) => expect(text(outcome)).toContain('needle-deep') },
  'html-deep-inline': { withinMs: 5000, check: isRead },
  'html-deep-table': { withinMs: 5000, check: isRead },
  'html-deep-list': {
    withinMs: 5000,
    check: (outcome) => expect(/^ */.exec(text(outcome))?.[0].length).toBeLessThan(2048),
  },
  'html-adoption-agency': { withinMs: 5000, check: isRead },
  'html-many-attrs': { withinMs: 3000, check: (outcome) => expect(text(outcome)).toBe('x\n') },
  'html-dup-attrs': { withinMs: 3000, check: (outcome) => expect(text(outcome)).toBe('x\n') },
  'html-huge-text-node': {
    check: (outcome) => {
      expect(text(outcome).length).toBeGreaterThan(9_900_000);
      expect(parsedPage(outcome).chunks.length).toBeGreaterThan(100);
    },
  },
  'html-one-line-10mb': { check: (outcome) => expect(codeOf(outcome)).toBe('fetch.too-large') },
  'html-unclosed-comment': { withinMs: 1000, check: (outcome) => expect(text(outcome)).toBe('before\n') },
  'html-unclosed-script': { check: (outcome) => expect(text(outcome)).toBe('before\n') },
  'html-null-bytes': { check: (outcome) => expect(text(outcome)).toBe('ab\n') },
  'html-lone-surrogates': { check: (outcome) => expect(text(outcome)).toBe('\uFFFD\uFFFD\n') },
  'html-bad-utf8': { check: (outcome) => expect(text(outcome)).toMatch(/^\uFFFD+\n$/) },
  'html-charset-lie': {
    check: (outcome) => {
      expect(text(outcome)).toContain('+ADw-script+AD4-');
      expect(text(outcome)).not.toContain('<script');
    },
  },
  'html-utf16-no-bom': { check: (outcome) => expect(text(outcome)).toBe('hi\n') },
  'html-entity-flood': { withinMs: 2000, check: (outcome) => expect(text(outcome)).toMatch(/^(?:&|\\&){500000}\n$/) },
  'html-million-links': {
    check: (outcome) => {
      expect(hrefs(outcome)).toHaveLength(MAX_LINKS);
      expect(parsedPage(outcome).metadata.linksDropped).toBe(200_000 - MAX_LINKS);
    },
  },
  'html-same-link-flood': { check: (outcome) => expect(hrefs(outcome)).toEqual(['https://h.test/same']) },
  'html-link-schemes': {
    check: (outcome) =>
      expect(hrefs(outcome)).toEqual(['http://127.0.0.1/', 'https://example.com/ok', 'https://example.com/ab']),
  },
  'html-path-repeat-trap': {
    check: (outcome) => {
      expect(hrefs(outcome)).toEqual(['https://h.test/docs/a/b/a/b/a/b/a/b/']);
      expect(admittedUrls(hrefs(outcome))).toEqual([]);
    },
  },
  'html-session-id-links': {
    check: (outcome) => expect(hrefs(outcome)).toHaveLength(2000),
  },
  'html-calendar-trap': { check: (outcome) => expect(hrefs(outcome)).toHaveLength(2) },
  'html-xss-soup': {
    check: (outcome) => {
      expect(text(outcome)).not.toMatch(/alert|onerror|onload|onclick|srcdoc|javascript|<script|<iframe|<svg/i);
      expect(hrefs(outcome).filter((href) => !href.startsWith('http'))).toEqual([]);
    },
  },
  'html-hidden-injection': { check: (outcome) => expect(text(outcome)).toBe('How to install.\n') },
  'html-tag-chars-injection': { check: (outcome) => expect(text(outcome)).toBe('Safe text\n') },
  'html-bidi': { check: (outcome) => expect(text(outcome)).toBe('```\nif (admin // check ) {\n```\n') },
  'html-zero-width': { check: (outcome) => expect(text(outcome)).toBe('password reset\n') },
  'html-base-hijack': {
    // The base is honoured, so the link shows its real host, which is out of scope.
    check: (outcome) => {
      expect(hrefs(outcome)).toEqual(['http://127.0.0.1/x']);
      expect(admittedUrls(hrefs(outcome))).toEqual([]);
    },
  },
  'html-srcset-css-urls': {
    check: (outcome) => {
      expect(text(outcome)).toBe('x\n');
      expect(hrefs(outcome)).toEqual([]);
    },
  },
  'html-frameset-redirect': { check: (outcome) => expect(reason(outcome)).toBe('redirect-stub') },
  'html-empty-shell': {
    check: (outcome) => {
      expect(reason(outcome)).toBe('needs-rendering');
      expect(parsedPage(outcome).chunks).toEqual([]);
    },
  },
  'html-soft-404': { check: (outcome) => expect(reason(outcome)).toBe('soft-404') },
  'html-login-wall': { check: (outcome) => expect(reason(outcome)).toBe('login') },
  'url-as-filename': {
    check: (outcome) => {
      // A title is only data: it is never used as a file name.
      expect(parsedPage(outcome).document.title).toContain('etc/cron.d/x');
      expect(parsedPage(outcome).document.url).toBe('https://h.test/docs/page');
    },
  },
  'csv-injection-title': { check: (outcome) => expect(parsedPage(outcome).document.title).toContain('=HYPERLINK(') },
  'log-injection-title': {
    check: (outcome) => expect(parsedPage(outcome).document.title).toBe('ok 2026-01-01 ERROR admin logged in'),
  },
  'secret-in-page': { check: (outcome) => expect(text(outcome)).toContain('AKIAIOSFODNN7EXAMPLE') },
};
