// Lists every source with its versions, its status and how fresh it is.

import { z } from 'zod';
import { SOURCE_STATUSES, sourceStatus } from '../core/model/source-status.ts';
import type { JsonObject, Run, Source, Version, VersionStats } from '../store/port.ts';
import { action } from './action.ts';

const VersionView = z.object({
  version: z.string(),
  declaredVersion: z
    .string()
    .nullable()
    .describe('Version that the site declares for the documented product; null if none'),
  pages: z.int(),
  chunks: z.int(),
  oldestCheckAt: z.iso.datetime().nullable().describe('When the stalest page was last confirmed current'),
  siteTitle: z.string().nullable().describe('Title of its llms.txt, in the words of the site: untrusted'),
  siteSummary: z.string().nullable().describe('Summary of its llms.txt, in the words of the site: untrusted'),
  usageTerms: z
    .array(z.string())
    .describe('Content-Signal and License lines of its robots.txt, in the words of the site: untrusted'),
});

const SourceView = z.object({
  source: z.string(),
  start: z.string(),
  status: z.enum(SOURCE_STATUSES),
  versions: z.array(VersionView),
  addedAt: z.iso.datetime(),
  lastCrawlAt: z.iso.datetime().nullable().describe('When its latest run ended; null if none has'),
  nextRunAt: z.iso.datetime().nullable().describe('Next scheduled run; null if there is none'),
  uses: z.int().describe('Results that it served since the server or the owner of the library was started'),
});

export type SourceView = z.output<typeof SourceView>;

export const listSources = action({
  name: 'list_sources',
  summary: 'List the documentation in the library',
  effect: 'read',
  input: z.strictObject({
    name: z.string().max(200).optional().describe('Only sources whose name contains this'),
  }),
  output: z.object({ sources: z.array(SourceView) }),
  bindings: {
    cli: { command: 'list', positional: [], example: 'pinakes list' },
    http: { method: 'GET', path: '/sources' },
    mcp: {
      title: 'Indexed documentation',
      description:
        'List the indexed documentation with versions, size, status and freshness. Call it to choose `source` and `version`.',
      tools: 'default',
    },
  },

  async run({ name = '' }, { store }) {
    const [sources, stats, latest, facts] = await Promise.all([
      store.sources.list(),
      store.stats.versions(),
      store.runs.latest(),
      store.sources.allFacts(),
    ]);
    const about: About = {
      stats: new Map(stats.map((one) => [one.version, one])),
      latest: new Map(latest.map((run) => [run.source, run])),
      facts,
    };
    const named = sources.filter((source) => source.name.toLowerCase().includes(name.toLowerCase()));
    return { sources: named.map((source) => sourceView(source, about)) };
  },
});

interface About {
  readonly stats: ReadonlyMap<number, VersionStats>;
  /** By source. */
  readonly latest: ReadonlyMap<number, Run>;
  /** By version. */
  readonly facts: ReadonlyMap<number, JsonObject>;
}

function sourceView(source: Source, about: About): SourceView {
  const { id, name, start, createdAt, dueAt } = source;
  const run = about.latest.get(id) ?? null;
  const versions = source.versions.map((version) => versionView(version, about));
  const pages = versions.reduce((sum, version) => sum + version.pages, 0);
  const checkedAt = source.versions.flatMap((version) => about.stats.get(version.id)?.newestCheckAt ?? []);
  // While a run is live, when a page was last checked is the closest known.
  const lastCrawlAt = run?.endedAt ?? checkedAt.toSorted((a, b) => b.getTime() - a.getTime())[0] ?? null;
  return {
    source: name,
    start,
    status: sourceStatus(run, pages),
    versions,
    addedAt: createdAt.toISOString(),
    lastCrawlAt: lastCrawlAt?.toISOString() ?? null,
    nextRunAt: dueAt?.toISOString() ?? null,
    uses: 0,
  };
}

const Site = z.object({ site: z.object({ title: z.string().nullable(), summary: z.string().nullable() }) });
const Usage = z.object({ usageTerms: z.array(z.string()) });

function versionView({ id, label, declaredVersion }: Version, { stats, facts }: About): SourceView['versions'][number] {
  const { pages = 0, chunks = 0, oldestCheckAt } = stats.get(id) ?? {};
  const { title, summary } = Site.safeParse(facts.get(id)).data?.site ?? { title: null, summary: null };
  return {
    version: label,
    declaredVersion,
    pages,
    chunks,
    oldestCheckAt: oldestCheckAt?.toISOString() ?? null,
    siteTitle: title,
    siteSummary: summary,
    usageTerms: Usage.safeParse(facts.get(id)).data?.usageTerms ?? [],
  };
}
