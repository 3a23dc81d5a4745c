// The settings of a source: what is crawled, how, and how often. Declared once and shared by interfaces, store and crawler.

import { z } from 'zod';
import { headerTemplateProblem, MAX_AGE, QUERY_RULE } from './setting-formats.ts';
import { Interval } from './interval.ts';

/** Which stages of the discovery cascade a run uses. */
export const PRESETS = {
  'llms-first': { llms: true, sitemaps: true, links: true, plans: false },
  'basic-with-sitemap': { llms: false, sitemaps: true, links: true, plans: false },
  'sitemap-only': { llms: false, sitemaps: true, links: false, plans: false },
  basic: { llms: false, sitemaps: false, links: true, plans: false },
  intelligent: { llms: true, sitemaps: true, links: true, plans: true },
} as const;

export const PRESET_DESCRIPTIONS: Readonly<Record<keyof typeof PRESETS, string>> = {
  'llms-first': 'llms.txt, then sitemaps, then links',
  'basic-with-sitemap': 'Sitemaps and links, without llms.txt',
  'sitemap-only': 'Only what sitemaps list',
  basic: 'Only links, from the start URL',
  intelligent: 'As llms-first, in the order of a plan: hubs of the site first, then what promises most new content',
};

const presetNames = [
  'llms-first',
  'basic-with-sitemap',
  'sitemap-only',
  'basic',
  'intelligent',
] as const satisfies ReadonlyArray<keyof typeof PRESETS>;

/** When a page is rendered in a browser: if it is empty without one, never, or always. */
export const RENDER_MODES = ['auto', 'never', 'always'] as const;
export type RenderMode = (typeof RENDER_MODES)[number];

const jitter = z.int().min(0).max(60_000).nullable().default(null);

/** Settings of a single crawl. */
export const CrawlSettings = z.strictObject({
  preset: z
    .enum(presetNames)
    .default('llms-first')
    .describe('How pages are discovered: llms.txt, sitemaps and links, or only some of them'),
  scope: z
    .enum(['path', 'host', 'domain'])
    .default('path')
    .describe('How far a crawl may go from the start URL: its folder, its host or its whole domain'),
  include: z.array(z.string()).default([]).describe('Crawl only URLs whose path matches one of these globs'),
  exclude: z.array(z.string()).default([]).describe('Never crawl URLs whose path matches one of these globs'),
  queryParams: z
    .array(z.string().regex(QUERY_RULE, 'must be a parameter and its rule, such as page=keep, sort=drop or *=skip'))
    .default([])
    .describe(
      'How to treat query parameters: keep, drop (strip it) or skip (exclude the URL); * matches the rest. Example: page=keep sort=drop',
    ),
  llmsTxt: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null)
    .describe('URL of llms.txt, if it is neither in the folder of the start URL nor at the root of its host'),
  requestsPerSecond: z
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe('Maximum requests per second to each host of the source; can only slow the crawl down'),
  maxAge: z
    .array(z.string().regex(MAX_AGE, 'must be an age such as 6h, 7d or reference=30d'))
    .default([])
    .describe('Do not fetch pages again that were checked more recently: 6h, or reference=7d for one page kind'),
  confirmRemovals: z.boolean().default(false).describe('Remove deleted pages even if there are many'),
  maxDepth: z
    .int()
    .min(0)
    .nullable()
    .default(null)
    .describe('Maximum number of links away from the start URL; unlimited if not set'),
  maxPages: z.int().min(1).nullable().default(null).describe('Maximum number of pages; crawl.maxPages if not set'),
  maxMinutes: z
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe(
      'Maximum duration of a run in minutes; it then ends and keeps what it stored. crawl.maxMinutes if not set',
    ),
  render: z
    .enum(RENDER_MODES)
    .nullable()
    .default(null)
    .describe(
      'Render pages in a browser: auto (only pages that are empty without one), never or always; render.mode if not set',
    ),
  concurrency: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('URLs that one worker process fetches concurrently in a run; at most crawl.concurrency'),
  requestTimeoutMs: z
    .int()
    .min(100)
    .nullable()
    .default(null)
    .describe('Timeout of a whole response in milliseconds; at most fetch.timeoutMs'),
  requestJitterMinMs: jitter.describe('Shortest extra delay before each request in milliseconds, chosen at random'),
  requestJitterMaxMs: jitter.describe('Longest extra delay before each request in milliseconds, chosen at random'),
  preferCache: z
    .boolean()
    .default(false)
    .describe('Keep stored pages as they are, however old, and fetch only pages that are not stored'),
  hubMaxPages: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('With the preset intelligent: how many links of each hub go to the front of the queue'),
  hubMaxDays: z
    .int()
    .min(0)
    .nullable()
    .default(null)
    .describe(
      'With the preset intelligent: do not begin with a hub whose stored pages did not change for this many days',
    ),
  intMaxSeeds: z
    .int()
    .min(0)
    .nullable()
    .default(null)
    .describe('With the preset intelligent: maximum number of hubs to begin with; 50 if not set'),
  intTargetHosts: z
    .array(z.string().toLowerCase())
    .default([])
    .describe(
      'With the preset intelligent: plan only if the host of the start URL is one of these, or below one; always if not set',
    ),
  plannerVerbosity: z
    .int()
    .min(0)
    .max(3)
    .nullable()
    .default(null)
    .describe(
      'With the preset intelligent: log the stages of the plan (1), each hub (2) and each change of the order (3); nothing if not set',
    ),
  stopAtCoverage: z
    .number()
    .min(0.5)
    .max(1)
    .nullable()
    .default(null)
    .describe(
      'With the preset intelligent: end once this share of the estimated pages is stored and the rest promises little',
    ),
  ignoreTerms: z
    .boolean()
    .default(false)
    .describe(
      'Store pages that the terms of use in robots.txt exclude, such as Content-Signal: ai-input=no; only with the permission of the owner of the site',
    ),
  headers: z
    .array(
      z.string().superRefine((text, context) => {
        const problem = headerTemplateProblem(text);
        if (problem !== null) context.addIssue({ code: 'custom', message: problem });
      }),
    )
    .default([])
    .describe(
      'Headers to send to the origin of the start URL only, with secrets as environment variables: Authorization: Bearer {DOCS_TOKEN}',
    ),
});

export type CrawlSettings = z.output<typeof CrawlSettings>;

export const SourceSettings = CrawlSettings.extend({
  every: Interval.nullable()
    .default(null)
    .describe('Recrawl automatically at this interval, such as 6h, 1d or 2w; only on request if not set'),
});

export type SourceSettings = z.output<typeof SourceSettings>;

/** Settings that apply to a source whose content is one fetched archive. */
export const ARCHIVE_SETTINGS = ['headers', 'every'] as const satisfies ReadonlyArray<keyof SourceSettings>;

type Overrides = { [Name in keyof CrawlSettings]: z.ZodOptional<z.ZodType<CrawlSettings[Name]>> };

/** Overrides for a single run. A missing value keeps the setting of the source, so nothing has a default here. */
export const RunOverrides = z.strictObject(
  Object.fromEntries(
    Object.entries(CrawlSettings.shape).map(([name, field]) => [
      name,
      field
        .unwrap()
        .optional()
        .describe(field.description ?? ''),
    ]),
  ) as unknown as Overrides,
);

export type RunOverrides = z.output<typeof RunOverrides>;
