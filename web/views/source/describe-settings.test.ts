import { expect, test } from 'vitest';
import { describeInterval, intervalOptions, describeSettings } from './describe-settings.ts';

test('intervals read as phrases', () => {
  expect(['', '1d', '6h', '30m', '2w'].map(describeInterval)).toEqual([
    'manually',
    'every day',
    'every 6 hours',
    'every 30 minutes',
    'every 2 weeks',
  ]);
});

test('an interval set on the command line stays selectable', () => {
  expect(intervalOptions('1d')).not.toContain('36h');
  expect(intervalOptions('36h')).toContain('36h');
});

test('settings read as phrases, singular for one', () => {
  expect(describeSettings({ exclude: ['/blog/**'], maxPages: 1, maxDepth: 2 })).toEqual([
    'scope: start path',
    'discovery: llms.txt, sitemaps and links',
    'exclude /blog/**',
    'at most 1 page',
    'depth at most 2',
  ]);
});
