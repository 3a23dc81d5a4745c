// Lists the presets a source can be added with.

import { z } from 'zod';
import { PRESET_DESCRIPTIONS, PRESETS, RunOverrides } from '../core/model/source-settings.ts';
import { action } from './action.ts';

export const listPresets = action({
  name: 'list_presets',
  summary: 'List the crawl presets: built-in and custom',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    presets: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        isCustom: z.boolean().describe('Defined in the settings, under crawl.presets'),
        discovery: z.array(z.enum(['llms', 'sitemaps', 'links'])).describe('Where pages are discovered'),
        // A specification fixes the names of these fields.
        declaration: z
          .object({ crawlType: z.string(), useSitemap: z.boolean(), sitemapOnly: z.boolean() })
          .describe('The built-in preset that it is or is based on, and what that uses'),
        settings: RunOverrides.describe('The other settings it sets'),
      }),
    ),
  }),
  bindings: {
    cli: { command: 'presets', group: 'index', positional: [], example: 'pinakes presets' },
    http: { method: 'GET', path: '/presets' },
  },

  async run(_, { presets: custom }) {
    const builtIn = (Object.keys(PRESETS) as Array<keyof typeof PRESETS>).map((name) => {
      return {
        name,
        description: PRESET_DESCRIPTIONS[name],
        isCustom: false,
        discovery: discoveryOf(name),
        declaration: declarationOf(name),
        settings: {},
      };
    });
    const others = Object.entries(custom).map(([name, { preset = 'llms-first', ...settings }]) => {
      const description = `${preset} with its own settings`;
      return {
        name,
        description,
        isCustom: true,
        discovery: discoveryOf(preset),
        declaration: declarationOf(preset),
        settings,
      };
    });
    return { presets: [...builtIn, ...others] };
  },
});

function discoveryOf(preset: keyof typeof PRESETS): Array<'llms' | 'sitemaps' | 'links'> {
  return (['llms', 'sitemaps', 'links'] as const).filter((level) => PRESETS[preset][level]);
}

function declarationOf(preset: keyof typeof PRESETS) {
  const { llms, sitemaps, links } = PRESETS[preset];
  return { crawlType: preset, useSitemap: sitemaps, sitemapOnly: sitemaps && !links && !llms };
}
