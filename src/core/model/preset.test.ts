import { expect, test } from 'vitest';
import { CustomPresets, resolveCrawlSettings, resolveOverrides } from './preset.ts';
import { CrawlSettings } from './source-settings.ts';

const custom = CustomPresets.parse({
  handbook: { preset: 'sitemap-only', exclude: ['/archive/**'], maxDepth: 3 },
  slow: { requestsPerSecond: 0.5 },
});
const defaults = CrawlSettings.parse({});

test('[R7] a built-in preset is kept as it is', () => {
  expect(resolveCrawlSettings({ ...defaults, preset: 'basic' }, custom)).toEqual({ ...defaults, preset: 'basic' });
});

test('[R7] a custom preset expands to its settings, and explicit settings override them', () => {
  const input = { ...defaults, preset: 'handbook', maxDepth: 5 };
  expect(resolveCrawlSettings(input, custom)).toEqual({
    ...defaults,
    preset: 'sitemap-only',
    exclude: ['/archive/**'],
    maxDepth: 5,
  });
  expect(resolveCrawlSettings({ ...defaults, preset: 'slow' }, custom)).toEqual({
    ...defaults,
    requestsPerSecond: 0.5,
  });
  expect(resolveOverrides({ preset: 'handbook', exclude: [] }, custom)).toEqual({
    preset: 'sitemap-only',
    exclude: [],
    maxDepth: 3,
  });
});

test('[R7] an unknown preset is an error that lists the available ones', () => {
  expect(() => resolveOverrides({ preset: 'hand-book' }, custom)).toThrow(/hand-book/);
  expect(() => resolveOverrides({ preset: 'hand-book' }, custom)).toThrow(
    expect.objectContaining({
      code: 'preset.unknown',
      details: expect.objectContaining({ known: expect.stringContaining('handbook') }),
    }),
  );
});

test.each([{ basic: {} }, { 'No Name': {} }, { x: { preset: 'y' } }, { x: { depth: 3 } }])(
  '%j is not a valid set of presets',
  (input) => {
    expect(CustomPresets.safeParse(input).success).toBe(false);
  },
);
