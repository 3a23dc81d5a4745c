import { expect, test } from 'vitest';
import { renderResult } from './render-answer.ts';

const COVERAGE = {
  source: 'docs.example.dev',
  version: '2.0',
  promised: 42,
  stored: 40,
  coverage: 0.952,
  missing: ['/guides/migration', '/search'],
  sections: [{ slug: 'guides', label: 'Guides', promised: 20, stored: 19, missing: ['/guides/migration'] }],
  hubs: [{ taxonomy: 'section', expected: 2, validated: 1, missing: [{ slug: 'a', url: 'https://x.dev/a/' }] }],
  patterns: [{ pattern: '/guides/{slug}', urls: 20, stored: 19, pageKind: 'article', meanTokens: 410 }],
  orphans: 1,
  estimate: { pages: 1290, low: 1262, high: 1341, coverage: 0.9 },
};

test('coverage is shown with what is missing before the tables', () => {
  expect(renderResult('show_coverage', COVERAGE)).toBe(
    `docs.example.dev 2.0: 40 of 42 promised pages (95%)
The site has about 1,290 pages, between 1,262 and 1,341.

Promised, and not stored:
  /guides/migration
  /search

No stored page links to 1 stored page.

Hubs, by section: 1 of 2 are stored; missing: https://x.dev/a/

Section  Promised  Stored  Missing
Guides         20      19  /guides/migration

Pattern         URLs  Stored  Kind     Tokens
/guides/{slug}    20      19  article     410
`,
  );
});

test('a source without lists and menus has no tables, and more missing pages are counted', () => {
  const missing = Array.from({ length: 25 }, (_, i) => `/p${i}`);
  const result = { ...COVERAGE, promised: 70, missing, sections: [], hubs: [], patterns: [], orphans: 0 };
  expect(renderResult('show_coverage', result)).toMatch(/ {2}\/p19\n {2}and 10 more\n$/);
});
