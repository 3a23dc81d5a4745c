// Shows what a crawl would fetch and what it would exclude, without storing anything.

import { z } from 'zod';
import { resolveCrawlSettings, PresetName } from '../core/model/preset.ts';
import { CrawlSettings, RENDER_MODES } from '../core/model/source-settings.ts';
import { checkStart } from './support/check-start.ts';
import { requireWithinBounds } from './support/run-bounds.ts';
import { action } from './action.ts';

export const planSource = action({
  name: 'plan_source',
  summary: 'Show what a crawl would fetch and exclude, without storing anything',
  effect: 'network',
  input: z.strictObject({
    url: z.string().min(1).describe('Start URL of the documentation'),
    ...CrawlSettings.shape,
    preset: PresetName.default('llms-first'),
  }),
  output: z.object({
    startUrl: z.string(),
    accepted: z.int().describe('URLs known before the crawl starts; their links may lead to more'),
    foundBy: z.record(z.string(), z.int()).describe('URLs by discovery method'),
    markdownRoute: z.string().nullable().describe('How pages are fetched as Markdown, if the site provides it'),
    examples: z.array(z.object({ url: z.string(), foundBy: z.string() })),
    excluded: z.array(z.object({ rule: z.string(), count: z.int(), example: z.string() })),
    rendering: z.object({
      mode: z.enum(RENDER_MODES).describe('When pages are rendered in a browser; never without one'),
      pages: z
        .array(z.object({ url: z.string(), reason: z.enum(['empty', 'route', 'always']) }))
        .describe(
          'Pages known to need one: empty without it, a route in the fragment, or because the source says always',
        ),
    }),
    problems: z.array(z.string()),
    verdict: z
      .object({
        title: z.string(),
        text: z.string(),
        isBlocking: z.boolean().describe('Whether a crawl would store nothing'),
      })
      .nullable()
      .describe('What is wrong with the start page and what to do; null if it would be stored'),
    forecast: z
      .object({
        pages: z.int().describe('Estimated from how often its URLs are named'),
        low: z.int(),
        high: z.int(),
        requests: z.int(),
        seconds: z.int().nullable().describe('With requestsPerSecond; otherwise null'),
        sections: z.array(z.object({ slug: z.string(), label: z.string(), urls: z.int() })),
        hubs: z.array(z.string()).describe('The pages that the crawl would begin with'),
      })
      .nullable()
      .describe('With the preset intelligent: the size and the sections of the site; otherwise null'),
  }),
  bindings: {
    cli: { command: 'plan', group: 'index', positional: ['url'], example: 'pinakes plan https://docs.example.dev' },
    http: { method: 'POST', path: '/plan' },
    mcp: {
      title: 'Plan a crawl',
      description:
        'Show what a crawl of a URL would fetch and exclude, without storing anything. Call it before add_source to check the rules.',
      tools: 'opt-in',
      listedInputs: ['url', 'scope', 'include', 'exclude'],
    },
  },

  async run({ url, ...settingsInput }, { plan, presets, bounds, signal }) {
    const settings = resolveCrawlSettings(settingsInput, presets);
    requireWithinBounds(settings, bounds);
    return plan(await checkStart(url, settings), settings, signal);
  },
});
