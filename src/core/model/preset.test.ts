import { expect, test } from 'vitest';
import { crawlSettingsOf, overridesOf, OwnPresets } from './preset.ts';
import { CrawlSettings } from './source-settings.ts';

const own = OwnPresets.parse({
  handbook: { preset: 'sitemap-only', block: ['/archive/**'], maxDepth: 3 },
  slow: { requestsPerSecond: 0.5 },
});
const usual = CrawlSettings.parse({});

test('[R7] a preset that comes with the program stands for itself', () => {
  expect(crawlSettingsOf({ ...usual, preset: 'basic' }, own)).toEqual({ ...usual, preset: 'basic' });
});

test('[R7] a preset of one’s own stands for its settings, and what is said beside it stands over them', () => {
  const given = { ...usual, preset: 'handbook', maxDepth: 5 };
  expect(crawlSettingsOf(given, own)).toEqual({
    ...usual,
    preset: 'sitemap-only',
    block: ['/archive/**'],
    maxDepth: 5,
  });
  expect(crawlSettingsOf({ ...usual, preset: 'slow' }, own)).toEqual({ ...usual, requestsPerSecond: 0.5 });
  expect(overridesOf({ preset: 'handbook', block: [] }, own)).toEqual({
    preset: 'sitemap-only',
    block: [],
    maxDepth: 3,
  });
});

test('[R7] a preset that nobody knows is refused with those that are', () => {
  expect(() => overridesOf({ preset: 'hand-book' }, own)).toThrow(/hand-book/);
  expect(() => overridesOf({ preset: 'hand-book' }, own)).toThrow(
    expect.objectContaining({
      code: 'preset.unknown',
      details: expect.objectContaining({ known: expect.stringContaining('handbook') }),
    }),
  );
});

test.each([{ basic: {} }, { 'No Name': {} }, { x: { preset: 'y' } }, { x: { depth: 3 } }])(
  '%j is no catalogue',
  (given) => {
    expect(OwnPresets.safeParse(given).success).toBe(false);
  },
);
