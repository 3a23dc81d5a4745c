import { expect, test } from 'vitest';
import { addPages, highlightsOf, NO_PAGES, progressOf, SKIPPED } from './run-summary.ts';

test('pages are added by kind; one that failed has none, and a dry run updates none', () => {
  const counts = addPages(NO_PAGES, ['hub', 'article', null, 'article'], { isDryRun: false, places: 2 });
  expect(counts).toEqual({
    processed: 4,
    updated: 3,
    unchanged: 0,
    failed: 1,
    placesInserted: 2,
    hubsInserted: 0,
    hubsUpdated: 0,
    kinds: { article: 2, hub: 1 },
  });
  expect(addPages(counts, ['hub'], { isDryRun: true, places: 0 })).toEqual({
    processed: 5,
    updated: 3,
    unchanged: 1,
    failed: 1,
    placesInserted: 2,
    hubsInserted: 0,
    hubsUpdated: 0,
    kinds: { article: 2, hub: 2 },
  });
});

test('highlights name what is new, in thousands with a comma', () => {
  const pages = { ...NO_PAGES, processed: 1204, updated: 1204, failed: 1 };
  const milestones = { count: 1, dryRun: false, awarded: [] };
  const domains = { completed: true, analyzed: 2, limit: null } as const;
  expect(highlightsOf({ pages, domains, milestones })).toEqual([
    '1,204 pages updated',
    '1 page failed',
    '2 hosts analyzed',
    '1 milestone awarded',
  ]);
  expect(highlightsOf({ pages: SKIPPED, domains: SKIPPED, milestones: { ...milestones, dryRun: true } })).toEqual([]);
});

test('progress has a rate and the time left', () => {
  expect(progressOf('page-analysis', { processed: 50, total: 200 }, { done: 50, ms: 1000 })).toEqual({
    stage: 'page-analysis',
    processed: 50,
    total: 200,
    percentage: 25,
    pagesPerSec: 50,
    etaSeconds: 3,
  });
  expect(progressOf('page-analysis', { processed: 0, total: 0 }, { done: 0, ms: 0 })).toMatchObject({
    percentage: 100,
    etaSeconds: null,
  });
});
