// Starts a new run of a source.

import { z } from 'zod';
import { resolveOverrides, PresetName } from '../core/model/preset.ts';
import { pinakesError } from '../core/model/errors.ts';
import { parsePageUrl } from '../core/model/page-url.ts';
import { RunOverrides, SourceSettings } from '../core/model/source-settings.ts';
import type { Store } from '../store/port.ts';
import type { JsonObject } from '../store/port/json.ts';
import type { Source } from '../store/port/sources.ts';
import { action } from './action.ts';
import { startFields, timeStart } from './support/started-run.ts';
import { requireWithinBounds } from './support/run-bounds.ts';
import { requireLocalMachine, resolveVersion } from './support/resolve.ts';

export const recrawlSource = action({
  // A specification fixes the name of this tool.
  name: 'recrawl_source',
  summary: 'Crawl a source again',
  effect: 'write',
  input: z.strictObject({
    source: z.string().min(1).describe('The name of the source'),
    version: z.string().optional().describe('The version to crawl; the newest by default'),
    mode: z
      .enum(['incremental', 'refresh', 'full', 'retry'])
      .default('incremental')
      .describe('Also discover new pages, revalidate stored pages only, fetch everything again, or retry what failed'),
    fromWeb: z
      .boolean()
      .default(false)
      .describe('Crawl an imported source from the web from now on, at the URL that its bundle names'),
    reason: z.string().min(1).max(2000).optional().describe('With retry: only URLs that failed for this reason'),
    ...RunOverrides.shape,
    preset: PresetName.optional(),
  }),
  output: z.object({ source: z.string(), run: z.int(), ...startFields }),
  bindings: {
    cli: {
      command: 'recrawl',
      group: 'index',
      flags: ['wait'],
      positional: ['source'],
      example: 'pinakes recrawl docs.example.dev --wait',
    },
    http: { method: 'POST', path: '/sources/{source}/recrawl', status: 202 },
    mcp: {
      title: 'Update a source by crawling it again',
      description:
        'Crawl a source again. Call it if list_sources shows that it is out of date or failed. It returns at once: follow the run with crawl_status.',
      tools: 'opt-in',
      listedInputs: ['source', 'version', 'mode', 'reason'],
      hints: ['destructive', 'open-world'],
    },
  },

  async run({ source: name, version: label, mode, reason, fromWeb, ...overrides }, { store, presets, bounds }) {
    const started = timeStart();
    const { source, version } = await resolveVersion(store, name, label);
    if (fromWeb) await crawlFromWeb(source, store);
    else requireLocalMachine(source);
    const resolved = resolveOverrides(overrides, presets);
    requireWithinBounds(resolved, bounds);
    const settings = Object.entries(resolved).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
    const retrySettings = mode === 'retry' && reason !== undefined ? await retryOnly(reason) : {};
    const runSettings = { ...Object.fromEntries(settings), ...retrySettings } as JsonObject;
    const run = await store.runs.start(version.id, mode, runSettings);
    return { source: source.name, run: run.id, ...started() };
  },
});

async function crawlFromWeb(source: Source, { sources }: Store): Promise<void> {
  if (source.kind === 'web') return;
  const { startUrl } = source.settings;
  const crawlFrom = typeof startUrl === 'string' ? parsePageUrl(startUrl) : null;
  if (crawlFrom === null)
    throw pinakesError('input.invalid', { reason: `${source.name} was not imported from a bundle of a website` });
  const settings = SourceSettings.parse({}) as JsonObject;
  await sources.change(source.id, { name: source.name, settings, due: null, crawlFrom, isAllowedDuringRun: false });
}

/** Imported lazily: it loads the crawl rules, which help and usage errors do not need. */
async function retryOnly(reason: string): Promise<JsonObject> {
  const { RETRIED_REASON } = await import('../crawl/context/run-rules.ts');
  return { [RETRIED_REASON]: reason };
}
