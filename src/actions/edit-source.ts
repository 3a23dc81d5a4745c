// Changes for good how a source is crawled, how often, or what it is called. Nothing is removed at once: what the new rules
// leave out is asked once more by the next run and removed with its proof.

import { z } from 'zod';
import { pinakesError } from '../core/model/errors.ts';
import { Interval, intervalMs } from '../core/model/interval.ts';
import { pageUrl } from '../core/model/page-url.ts';
import { overridesOf, PresetName } from '../core/model/preset.ts';
import { CrawlSettings, RunOverrides, SourceSettings } from '../core/model/source-settings.ts';
import type { JsonObject, Source, SourceChange, Store } from '../store/port.ts';
import { action } from './action.ts';
import { oneVersion } from './one-version.ts';

const MOST_PAGES = 10_000;
const PIECE = 1000;

export const editSource = action({
  name: 'edit_source',
  summary: 'Change how a source is crawled, how often, or its name, for good',
  effect: 'write',
  input: z.strictObject({
    source: z.string().min(1).describe('The name of the source'),
    name: z.string().min(1).max(100).optional().describe('A new name'),
    every: Interval.nullable()
      .optional()
      .describe('Bring it up to date this often by itself, such as 6h, 1d or 2w; none for only when asked'),
    ...RunOverrides.shape,
    preset: PresetName.optional(),
  }),
  output: z.object({
    source: z.string(),
    changed: z.array(z.string()).describe('What is another than before'),
    outside: z
      .int()
      .describe(`Pages, of the first ${MOST_PAGES}, that the rules leave out now; the next run removes them`),
    nextRunAt: z.iso.datetime().nullable().describe('When it is brought up to date by itself; null: when asked'),
  }),
  doors: {
    cli: {
      command: 'edit',
      positional: ['source'],
      example: "pinakes edit docs.example.dev --block '/blog/**' --every 1d",
    },
    http: { method: 'POST', path: '/sources/{source}/edit' },
    mcp: { title: 'Change a source', tools: 'opt-in' },
  },

  async run({ source: wanted, name, every, ...rules }, { store, presets }) {
    const { source, version } = await oneVersion(store, wanted, undefined);
    const given = { ...overridesOf(rules, presets), every };
    const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    if (source.kind === 'folder' && Object.keys(said).length > 0)
      throw pinakesError('input.invalid', { why: 'a folder has no rules of a crawl; only its name can be changed' });
    const settings = source.kind === 'folder' ? source.settings : SourceSettings.parse({ ...source.settings, ...said });
    const changed = changedNames(source, settings as JsonObject, name);
    const outside = source.kind === 'folder' ? 0 : await pagesOutside(store, version.id, source.start, settings);
    await store.sources.change(source.id, changeOf(settings as JsonObject, name ?? source.name, changed));
    const after = await store.sources.byName(name ?? source.name);
    return { source: name ?? source.name, changed, outside, nextRunAt: after?.dueAt?.toISOString() ?? null };
  },
});

function changedNames(source: Source, settings: JsonObject, name: string | undefined): string[] {
  const before: JsonObject = source.kind === 'folder' ? source.settings : SourceSettings.parse(source.settings);
  const changed = Object.keys(settings).filter((key) => JSON.stringify(settings[key]) !== JSON.stringify(before[key]));
  return name === undefined || name === source.name ? changed : ['name', ...changed];
}

function changeOf(settings: JsonObject, name: string, changed: readonly string[]): SourceChange {
  const { every = null } = settings;
  const due = changed.includes('every') ? { afterMs: typeof every === 'string' ? intervalMs(every) : null } : null;
  const isAllowedDuringRun = !changed.some((key) => key in CrawlSettings.shape);
  return { name, settings, due, isAllowedDuringRun };
}

/** Raises `scope.invalid` for a pattern that cannot be used. Depth is not judged: it is known only to a crawl. */
async function pagesOutside(
  store: Store,
  version: Parameters<Store['pages']['list']>[0],
  start: string,
  settings: JsonObject | SourceSettings,
): Promise<number> {
  const { breadth, allow, block } = SourceSettings.parse(settings);
  // Late, because it brings the list of public suffixes, which help and mistakes can do without.
  const { compileScope, scopeVerdict } = await import('../core/url/url-filter.ts');
  const scope = compileScope({ starts: [pageUrl(start)], breadth, allow, block, maxDepth: null });
  let outside = 0;
  let after: string | null = null;
  let seen = 0;
  do {
    const piece = await store.pages.list(version, after, PIECE);
    outside += piece.pages.filter(({ url }) => !scopeVerdict(url, 0, scope).admit).length;
    seen += piece.pages.length;
    after = piece.after;
  } while (after !== null && seen < MOST_PAGES);
  return outside;
}
