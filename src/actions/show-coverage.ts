// The coverage of a source: the share of the promised pages that is stored, by section and by hub.

import { z } from 'zod';
import { siteStart, TAXONOMIES } from '../core/analysis/site-shape.ts';
import { EVIDENCE } from '../core/analysis/known-url.ts';
import { action } from './action.ts';
import { resolveVersion } from './support/resolve.ts';

const Report = z.object({
  promised: z.int().describe('Pages that its menus and lists name'),
  stored: z.int().describe('Promised pages that are stored'),
  coverage: z.number(),
  missing: z.array(z.string()).describe('Paths of the first promised pages that are not stored'),
  sections: z
    .array(
      z.object({
        slug: z.string(),
        label: z.string(),
        promised: z.int(),
        stored: z.int(),
        missing: z.array(z.string()),
      }),
    )
    .describe('Most promised pages first'),
  hubs: z
    .array(
      z.object({
        taxonomy: z.enum(TAXONOMIES),
        expected: z.int(),
        validated: z.int(),
        missing: z.array(z.object({ slug: z.string(), url: z.string(), expectedBy: z.array(z.enum(EVIDENCE)) })),
      }),
    )
    .describe('Pages that lead to a section, a version, a language or a product'),
  patterns: z
    .array(
      z.object({
        pattern: z.string(),
        urls: z.int(),
        stored: z.int(),
        pageKind: z.string().nullable(),
        meanTokens: z.int().nullable().describe('Null before its pages were analyzed'),
      }),
    )
    .describe('Most URLs first'),
  orphans: z.int().describe('Stored pages that no stored page links to'),
  estimate: z
    .object({ pages: z.int(), low: z.int(), high: z.int(), coverage: z.number() })
    .describe('Estimated number of pages of the site, from how often its URLs are named'),
});

export const showCoverage = action({
  name: 'show_coverage',
  summary: 'Show which share of the promised pages is stored, by section and by hub',
  effect: 'read',
  readsWholeLibrary: true,
  input: z.strictObject({
    source: z.string().min(1).describe('The name of a source'),
    version: z.string().optional().describe('The version; the newest by default'),
  }),
  output: z.object({ source: z.string(), version: z.string(), ...Report.shape }),
  bindings: {
    cli: {
      command: 'coverage',
      group: 'inspect',
      positional: ['source'],
      example: 'pinakes coverage docs.example.dev',
    },
    http: { method: 'GET', path: '/sources/{source}/coverage' },
    mcp: {
      title: 'Coverage of a source',
      description:
        'Show which promised pages of a source are missing, by section and hub. Call it when a page that should exist is not found.',
      tools: 'opt-in',
    },
  },

  /** The coverage as last measured; measured again if something has changed since. */
  async run({ source: name, version: label }, { store }) {
    const { source, version } = await resolveVersion(store, name, label);
    const known = await store.analysis.coverage(version.id);
    const head = { source: source.name, version: version.label };
    if (known?.isCurrent === true) return { ...head, ...Report.parse(known.report) };
    const { readSite } = await import('../crawl/plan/read-site.ts');
    const { measureCoverage } = await import('../core/analysis/coverage.ts');
    const measured = measureCoverage(await readSite(store, version.id, siteStart(source.startUrl)));
    return { ...head, ...Report.parse(measured) };
  },
});
