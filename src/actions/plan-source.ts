// Shows what a crawl would take and what it would leave out, without storing anything.

import { z } from 'zod';
import { pageUrl } from '../core/model/page-url.ts';
import { crawlSettingsOf, PresetName } from '../core/model/preset.ts';
import { CrawlSettings } from '../core/model/source-settings.ts';
import { action } from './action.ts';

export const planSource = action({
  name: 'plan_source',
  summary: 'Show what a crawl would take and refuse, without storing anything',
  effect: 'read',
  input: z.strictObject({
    url: z.string().min(1).describe('Where the documentation begins'),
    ...CrawlSettings.shape,
    preset: PresetName.default('llms-first'),
  }),
  output: z.object({
    start: z.string(),
    taken: z.int().describe('URLs that are known before the crawl begins; links on them may lead to more'),
    foundBy: z.record(z.string(), z.int()).describe('How many each way of discovery found'),
    markdownRoute: z.string().nullable().describe('How pages are had as Markdown, where the site offers it'),
    examples: z.array(z.object({ url: z.string(), foundBy: z.string() })),
    refused: z.array(z.object({ rule: z.string(), times: z.int(), example: z.string() })),
    problems: z.array(z.string()),
  }),
  doors: {
    cli: { command: 'plan', positional: ['url'], example: 'pinakes plan https://docs.example.dev' },
    http: { method: 'POST', path: '/plan' },
    mcp: { title: 'Plan a crawl', tools: 'opt-in' },
  },

  async run({ url, ...given }, { plan, presets, signal }) {
    const start = pageUrl(url);
    const settings = crawlSettingsOf(given, presets);
    const { breadth, allow, block, maxDepth } = settings;
    const { compileScope } = await import('../core/url/url-filter.ts');
    compileScope({ starts: [start], breadth, allow, block, maxDepth });
    return plan(start, settings, signal);
  },
});
