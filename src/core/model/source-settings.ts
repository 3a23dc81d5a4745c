// What a user may say about a source when it is added, for one run, and for good: the scope of the crawl and how often it is
// done. Declared once; doors, store and conductors share it.

import { z } from 'zod';
import { headerTemplateProblem } from './setting-formats.ts';
import { Interval } from './interval.ts';
import { MAX_AGE } from './max-age.ts';
import { QUERY_RULE } from './query-rule.ts';

/** Which levels of the discovery cascade a run uses. */
export const PRESETS = {
  'llms-first': { llms: true, sitemaps: true, links: true },
  'basic-with-sitemap': { llms: false, sitemaps: true, links: true },
  'sitemap-only': { llms: false, sitemaps: true, links: false },
  basic: { llms: false, sitemaps: false, links: true },
} as const;

const presetNames = ['llms-first', 'basic-with-sitemap', 'sitemap-only', 'basic'] as const satisfies ReadonlyArray<
  keyof typeof PRESETS
>;

/** How one crawl is done. */
export const CrawlSettings = z.strictObject({
  preset: z
    .enum(presetNames)
    .default('llms-first')
    .describe('Where pages are looked for: llms.txt, sitemaps and links, or only some of them'),
  breadth: z
    .enum(['path', 'host', 'domain'])
    .default('path')
    .describe('How far from the start: its folder, its host, or its whole domain'),
  allow: z.array(z.string()).default([]).describe('Only URLs whose path matches one of these globs'),
  block: z.array(z.string()).default([]).describe('No URL whose path matches one of these globs'),
  query: z
    .array(z.string().regex(QUERY_RULE, 'not a parameter and its rule such as page=keep, sort=drop or *=skip'))
    .default([])
    .describe(
      'What a query parameter is worth: page=keep, sort=drop (same page without it), view=skip (no page); * is any other',
    ),
  llmsTxt: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null)
    .describe('Where llms.txt is, if neither in the folder of the start nor at the root of its host'),
  requestsPerSecond: z
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe('Most requests a second to a host of the source; only to go slower than the program would'),
  maxAge: z
    .array(z.string().regex(MAX_AGE, 'not an age such as 6h, 7d or reference=30d'))
    .default([])
    .describe('Pages checked more recently are not asked again: 6h, or for one kind of page reference=7d'),
  confirmRemovals: z
    .boolean()
    .default(false)
    .describe('Remove pages that are gone even where they are a large share of the source'),
  maxDepth: z.int().min(0).nullable().default(null).describe('Links away from the start; unlimited unless set'),
  maxPages: z.int().min(1).nullable().default(null).describe('Pages that are taken at most; unlimited unless set'),
  maxMinutes: z
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe('Longest time of one run in minutes; then it ends with what it has. Unlimited unless set'),
  headers: z
    .array(
      z.string().superRefine((text, context) => {
        const problem = headerTemplateProblem(text);
        if (problem !== null) context.addIssue({ code: 'custom', message: problem });
      }),
    )
    .default([])
    .describe('Headers for the origin of the start only, secrets by variable: Authorization: Bearer {DOCS_TOKEN}'),
});

export type CrawlSettings = z.output<typeof CrawlSettings>;

export const SourceSettings = CrawlSettings.extend({
  every: Interval.nullable()
    .default(null)
    .describe('Bring it up to date this often by itself, such as 6h, 1d or 2w; only when asked unless set'),
});

export type SourceSettings = z.output<typeof SourceSettings>;

type Overrides = { [Name in keyof CrawlSettings]: z.ZodOptional<z.ZodType<CrawlSettings[Name]>> };

/** For one run, what was said for the source may be said anew. What is not said stays, so nothing has a default here. */
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
