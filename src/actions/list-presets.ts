// The presets that a source may be added with.

import { z } from 'zod';
import { PRESETS, RunOverrides } from '../core/model/source-settings.ts';
import { action } from './action.ts';

export const listPresets = action({
  name: 'list_presets',
  summary: 'List the presets of a crawl: those of the program and your own',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    presets: z.array(
      z.object({
        name: z.string(),
        isOwn: z.boolean().describe('It stands in the settings, under crawl.presets'),
        looksIn: z.array(z.enum(['llms', 'sitemaps', 'links'])).describe('Where it looks for pages'),
        settings: RunOverrides.describe('What it says beside that'),
      }),
    ),
  }),
  doors: {
    cli: { command: 'presets', positional: [], example: 'pinakes presets' },
    http: { method: 'GET', path: '/presets' },
  },

  async run(_, { presets: own }) {
    const builtIn = (Object.keys(PRESETS) as Array<keyof typeof PRESETS>).map((name) => {
      return { name, isOwn: false, looksIn: looksIn(name), settings: {} };
    });
    const others = Object.entries(own).map(([name, { preset = 'llms-first', ...settings }]) => {
      return { name, isOwn: true, looksIn: looksIn(preset), settings };
    });
    return { presets: [...builtIn, ...others] };
  },
});

function looksIn(preset: keyof typeof PRESETS): Array<'llms' | 'sitemaps' | 'links'> {
  return (['llms', 'sitemaps', 'links'] as const).filter((level) => PRESETS[preset][level]);
}
