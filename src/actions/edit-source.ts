// Changes the settings, the schedule or the name of a source permanently. Nothing is removed at once: the next run fetches
// pages outside the new rules once more and then removes them.

import { z } from 'zod';
import { pinakesError } from '../core/model/errors.ts';
import { Interval, intervalMs } from '../core/model/interval.ts';
import { pageUrl } from '../core/model/page-url.ts';
import { resolveOverrides, PresetName } from '../core/model/preset.ts';
import { SourceName } from '../core/model/source-name.ts';
import { ARCHIVE_SETTINGS, CrawlSettings, RunOverrides, SourceSettings } from '../core/model/source-settings.ts';
import type { Store } from '../store/port.ts';
import type { JsonObject } from '../store/port/json.ts';
import type { Source, SourceChange } from '../store/port/sources.ts';
import { action } from './action.ts';
import { requireWithinBounds } from './support/run-bounds.ts';
import { resolveVersion } from './support/resolve.ts';

const MAX_PAGES = 10_000;
const BATCH_SIZE = 1000;

export const editSource = action({
  name: 'edit_source',
  summary: 'Change the settings, the schedule or the name of a source',
  effect: 'write',
  input: z.strictObject({
    source: z.string().min(1).describe('The name of the source'),
    name: SourceName.optional().describe('A new name'),
    every: Interval.nullable()
      .optional()
      .describe('Recrawl automatically at this interval, such as 6h, 1d or 2w; none turns it off'),
    ...RunOverrides.shape,
    preset: PresetName.optional(),
  }),
  output: z.object({
    source: z.string(),
    changed: z.array(z.string()).describe('Settings that changed'),
    excludedPages: z
      .int()
      .describe(`Pages, among the first ${MAX_PAGES}, that the new rules exclude; the next run removes them`),
    nextRunAt: z.iso.datetime().nullable().describe('Next scheduled run; null if there is none'),
  }),
  bindings: {
    cli: {
      command: 'edit',
      group: 'index',
      positional: ['source'],
      example: "pinakes edit docs.example.dev --exclude '/blog/**' --every 1d",
    },
    http: { method: 'PATCH', path: '/sources/{source}' },
    mcp: {
      title: 'Change a source',
      description: 'Change the name, schedule or rules of a source. The next run removes pages that they exclude.',
      tools: 'opt-in',
      listedInputs: ['source', 'name', 'scope', 'include', 'exclude', 'maxPages', 'every'],
      hints: ['destructive', 'idempotent'],
    },
  },

  async run({ source: reference, name, every, ...rules }, { store, presets, bounds }) {
    const { source, version } = await resolveVersion(store, reference, undefined);
    const resolved = resolveOverrides(rules, presets);
    requireWithinBounds(resolved, bounds);
    const overrides = { ...resolved, every };
    const changes = Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined));
    checkChanges(source, changes);
    const settings =
      source.kind === 'web'
        ? SourceSettings.parse({ ...source.settings, ...changes })
        : ({ ...source.settings, ...changes } as JsonObject);
    const changed = changedNames(source, settings as JsonObject, name);
    const outside = source.kind === 'web' ? await countExcludedPages(store, version.id, source.startUrl, settings) : 0;
    await store.sources.change(source.id, sourceChange(settings as JsonObject, name ?? source.name, changed));
    const after = await store.sources.byName(name ?? source.name);
    return {
      source: name ?? source.name,
      changed,
      excludedPages: outside,
      nextRunAt: after?.dueAt?.toISOString() ?? null,
    };
  },
});

/** Raises `input.invalid` for a setting that has no effect. */
function checkChanges({ kind }: Source, changes: Readonly<Record<string, unknown>>): void {
  if (kind === 'folder' && Object.keys(changes).length > 0)
    throw pinakesError('input.invalid', { reason: 'a folder has no crawl settings; only its name can be changed' });
  const allowed: readonly string[] = ARCHIVE_SETTINGS;
  const other = Object.keys(changes).find((key) => !allowed.includes(key));
  if (kind === 'fetched-archive' && other !== undefined)
    throw pinakesError('input.invalid', {
      reason: `${other} has no effect on a source that is fetched as one archive`,
    });
}

function changedNames(source: Source, settings: JsonObject, name: string | undefined): string[] {
  const before: JsonObject = source.kind === 'web' ? SourceSettings.parse(source.settings) : source.settings;
  const changed = Object.keys(settings).filter((key) => JSON.stringify(settings[key]) !== JSON.stringify(before[key]));
  return name === undefined || name === source.name ? changed : ['name', ...changed];
}

function sourceChange(settings: JsonObject, name: string, changed: readonly string[]): SourceChange {
  const { every = null } = settings;
  const due = changed.includes('every') ? { afterMs: typeof every === 'string' ? intervalMs(every) : null } : null;
  const isAllowedDuringRun = !changed.some((key) => key in CrawlSettings.shape);
  return { name, settings, due, isAllowedDuringRun };
}

/** Raises `pattern.invalid` for an unusable pattern. Depth is not checked: only a crawl knows it. */
async function countExcludedPages(
  store: Store,
  version: Parameters<Store['pages']['list']>[0],
  start: string,
  settings: JsonObject | SourceSettings,
): Promise<number> {
  const { scope, include, exclude } = SourceSettings.parse(settings);
  // Imported lazily: it loads the public suffix list, which help and usage errors do not need.
  const { compileUrlFilter, urlFilterVerdict } = await import('../core/url/url-filter.ts');
  const filter = compileUrlFilter({ starts: [pageUrl(start)], scope, include, exclude, maxDepth: null });
  let excluded = 0;
  let cursor: string | null = null;
  let seen = 0;
  do {
    const batch = await store.pages.list(version, cursor, BATCH_SIZE);
    excluded += batch.pages.filter(({ url }) => !urlFilterVerdict(url, 0, filter).admit).length;
    seen += batch.pages.length;
    cursor = batch.after;
  } while (cursor !== null && seen < MAX_PAGES);
  return excluded;
}
