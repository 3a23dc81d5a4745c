import { expect, test } from 'vitest';
import { everyWords, intervalsWith, settingsWords } from './describe-settings.ts';

test('intervals are said as people say them', () => {
  expect(['', '1d', '6h', '30m', '2w'].map(everyWords)).toEqual([
    'when I ask',
    'every day',
    'every 6 hours',
    'every 30 minutes',
    'every 2 weeks',
  ]);
});

test('an interval of the command line stays in the list', () => {
  expect(intervalsWith('1d')).not.toContain('36h');
  expect(intervalsWith('36h')).toContain('36h');
});

test('settings are phrases, one of a thing without a plural', () => {
  expect(settingsWords({ block: ['/blog/**'], maxPages: 1, maxDepth: 2 })).toEqual([
    'stays in its folder',
    'found by llms.txt, sitemaps and links',
    'never /blog/**',
    '1 page at most',
    '2 links away at most',
  ]);
});
