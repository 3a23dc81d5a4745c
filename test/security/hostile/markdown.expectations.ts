// Hostile Markdown.

import { expect } from 'vitest';
import { detectInjection } from '../../../src/core/classify/prompt-injection.ts';
import { parsedPage, type Expectations, type Outcome } from './expectation.ts';

const text = (outcome: Outcome) => parsedPage(outcome).document.text;
const hasMinLength = (minChars: number) => (outcome: Outcome) =>
  expect(text(outcome).length).toBeGreaterThanOrEqual(minChars);
const onlyBody = (outcome: Outcome) => {
  expect(text(outcome)).toBe('body\n');
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
};

export const markdownExpectations: Expectations = {
  'md-blockquote-bomb': { withinMs: 2000, check: hasMinLength(100_000) },
  'md-list-bomb': { withinMs: 2000, check: hasMinLength(100_000) },
  'md-nested-brackets': { withinMs: 2000, check: hasMinLength(200_000) },
  'md-emphasis-bomb': { withinMs: 2000, check: hasMinLength(150_000) },
  'md-backtick-bomb': { withinMs: 2000, check: hasMinLength(200_000) },
  'md-link-ref-bomb': {
    withinMs: 3000,
    check: (outcome) => {
      expect(parsedPage(outcome).document.links.map(({ href }) => href)).toEqual(['https://h.test/u1']);
      // Nothing is expanded: the output is about as long as the input.
      expect(text(outcome).length).toBeLessThan(1_300_000);
    },
  },
  'md-table-wide': { withinMs: 2000, check: hasMinLength(100_000) },
  'md-unclosed-fence': {
    check: (outcome) => {
      expect(parsedPage(outcome).document.outline.map((entry) => entry.text)).toEqual(['T']);
      expect(text(outcome)).toMatch(/^# T\n```js\ncode\n/);
    },
  },
  'md-html-xss': {
    check: (outcome) => {
      expect(text(outcome)).not.toMatch(/onerror|javascript:|data:|<img/i);
      const { links } = parsedPage(outcome).document;
      expect(links.filter(({ href }) => !href.startsWith('https://example.com/'))).toEqual([]);
    },
  },
  'md-fake-system': {
    check: (outcome) => {
      expect(text(outcome)).toContain('# API');
      // It is flagged when it is served: see test/feature/search/injection-flags.test.ts.
      expect(detectInjection(text(outcome))).toEqual(['chat-markup', 'role-lines']);
    },
  },
  'md-frontmatter-bomb': { withinMs: 100, check: onlyBody },
  'md-frontmatter-tag': { check: onlyBody },
  'md-proto': { check: onlyBody },
};
