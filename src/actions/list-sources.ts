// Lists every source with its versions, its status and how fresh it is.

import { z } from 'zod';
import { SOURCE_STATUSES, sourceStatus } from '../core/model/source-status.ts';
import type { VersionStats } from '../store/port.ts';
import type { JsonObject } from '../store/port/json.ts';
import type { Run } from '../store/port/runs.ts';
import type { Source, Version } from '../store/port/sources.ts';
import { storedTerms } from '../core/discover/licenses.ts';
import { storedDescription } from '../core/discover/llms/llms-txt.ts';
import { action } from './action.ts';

/** Limit of sources in one result. */
const MAX_SOURCES = 1000;

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
    .describe('Content-Signal, Content-Usage and License lines of its robots.txt, in the words of the site: untrusted'),
  licenses: z.array(z.string()).describe('URLs of licenses that its robots.txt and its pages name: untrusted'),
});

const SourceView = z.object({
  source: z.string(),
  startUrl: z.string(),
  status: z.enum(SOURCE_STATUSES),
  reason: z.string().nullable().describe('Why its latest run failed or is not complete; null if it is'),
  versions: z.array(VersionView),
  ignoresTerms: z.boolean().describe('Whether the operator set that its terms of use exclude no pages'),
  addedAt: z.iso.datetime(),
  lastCrawlAt: z.iso.datetime().nullable().describe('When its latest run ended; null if none has'),
  nextRunAt: z.iso.datetime().nullable().describe('Next scheduled run; null if there is none'),
  uses: z.int().describe('Results that it served since the server or the owner of the library was started'),
});

export type SourceView = z.output<typeof SourceView>;

export const listSources = action({
  // A specification fixes the name of this tool.
  name: 'list_sources',
  summary: 'List the documentation in the library',
  effect: 'read',
  input: z.strictObject({
    name: z.string().max(200).optional().describe('Only sources whose name contains this'),
    cursor: z.string().max(1000).optional().describe('`nextCursor` of the previous result'),
    limit: z.int().min(1).max(MAX_SOURCES).default(MAX_SOURCES).describe('Maximum number of sources'),
  }),
  output: z.object({
    sources: z.array(SourceView).describe('By name'),
    total: z.int().describe('All sources whose name contains `name`'),
    nextCursor: z.string().nullable().describe('Cursor of the next sources; null at the end'),
  }),
  bindings: {
    cli: [
      { command: 'list', group: 'search', flags: ['project'], positional: [], example: 'pinakes list' },
      { command: 'sources list', group: 'index', positional: [], example: 'pinakes sources list' },
    ],
    http: { method: 'GET', path: '/sources' },
    mcp: {
      title: 'Indexed documentation',
      description:
        'List the indexed documentation with version, size, status and freshness, to choose `source` and `version`.',
      tools: 'default',
      fixedInput: { cursor: undefined, limit: MAX_SOURCES },
    },
  },

  async run({ name = '', cursor = '', limit }, { store }) {
    const all = await store.sources.list();
    const named = all.filter((source) => source.name.toLowerCase().includes(name.toLowerCase()));
    const rest = named.filter((source) => source.name > cursor);
    const sources = rest.slice(0, limit);
    const versions = sources.flatMap((source) => source.versions.map(({ id }) => id));
    const [stats, latest, profiles] = await Promise.all([
      store.stats.versions(versions),
      store.runs.latest(sources.map(({ id }) => id)),
      store.sources.siteProfiles(versions),
    ]);
    const about: About = {
      stats: new Map(stats.map((one) => [one.version, one])),
      latest: new Map(latest.map((run) => [run.source, run])),
      profiles,
    };
    return {
      sources: sources.map((source) => sourceView(source, about)),
      total: named.length,
      nextCursor: rest.length > limit ? (sources.at(-1)?.name ?? null) : null,
    };
  },
});

interface About {
  readonly stats: ReadonlyMap<number, VersionStats>;
  /** The latest run of each source. */
  readonly latest: ReadonlyMap<number, Run>;
  /** The site profile of each version. */
  readonly profiles: ReadonlyMap<number, JsonObject>;
}

/** Null for a run that is complete, even if it has something to say. */
function failureReason(run: Run | null): string | null {
  return run?.state === 'failed' || run?.state === 'partial' ? run.reason : null;
}

function sourceView(source: Source, about: About): SourceView {
  const { id, name, startUrl, createdAt, dueAt } = source;
  const run = about.latest.get(id) ?? null;
  const versions = source.versions.map((version) => versionView(version, about));
  const pages = versions.reduce((sum, version) => sum + version.pages, 0);
  const checkedAt = source.versions.flatMap((version) => about.stats.get(version.id)?.newestCheckAt ?? []);
  // While a run is live, when a page was last checked is the closest known.
  const lastCrawlAt = run?.endedAt ?? checkedAt.toSorted((a, b) => b.getTime() - a.getTime())[0] ?? null;
  return {
    source: name,
    startUrl,
    status: sourceStatus(run, pages),
    reason: failureReason(run),
    versions,
    ignoresTerms: source.settings['ignoreTerms'] === true,
    addedAt: createdAt.toISOString(),
    lastCrawlAt: lastCrawlAt?.toISOString() ?? null,
    nextRunAt: dueAt?.toISOString() ?? null,
    uses: 0,
  };
}

function versionView(
  { id, label, declaredVersion }: Version,
  { stats, profiles }: About,
): SourceView['versions'][number] {
  const { pages = 0, chunks = 0, oldestCheckAt } = stats.get(id) ?? {};
  const { usageTerms, licenses } = storedTerms(profiles.get(id));
  const { title, summary } = storedDescription(profiles.get(id) ?? {}) ?? { title: null, summary: null };
  return {
    version: label,
    declaredVersion,
    pages,
    chunks,
    oldestCheckAt: oldestCheckAt?.toISOString() ?? null,
    siteTitle: title,
    siteSummary: summary,
    usageTerms: [...usageTerms],
    licenses: [...licenses],
  };
}
