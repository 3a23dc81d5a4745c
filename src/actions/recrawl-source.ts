// Starts another run of a source.

import { z } from 'zod';
import { overridesOf, PresetName } from '../core/model/preset.ts';
import { RunOverrides } from '../core/model/source-settings.ts';
import type { JsonObject } from '../store/port.ts';
import { action } from './action.ts';
import { oneVersion } from './one-version.ts';

export const recrawlSource = action({
  name: 'recrawl_source',
  summary: 'Bring a source up to date',
  effect: 'write',
  input: z.strictObject({
    source: z.string().min(1).describe('The name of the source'),
    version: z.string().optional().describe('The version to crawl; the newest unless given'),
    mode: z
      .enum(['incremental', 'refresh', 'full', 'retry'])
      .default('incremental')
      .describe('Look for new pages too, ask known pages only, read everything again, or try what failed'),
    reason: z.string().min(1).max(2000).optional().describe('With retry: only what failed for this reason'),
    ...RunOverrides.shape,
    preset: PresetName.optional(),
  }),
  output: z.object({ source: z.string(), run: z.int() }),
  doors: {
    cli: { command: 'recrawl', positional: ['source'], example: 'pinakes recrawl docs.example.dev --wait' },
    http: { method: 'POST', path: '/sources/{source}/recrawl' },
    mcp: { title: 'Bring a source up to date', tools: 'opt-in' },
  },

  async run({ source: name, version: label, mode, reason, ...given }, { store, presets }) {
    const { source, version } = await oneVersion(store, name, label);
    const settings = Object.entries(overridesOf(given, presets)).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value]],
    );
    const retried = mode === 'retry' && reason !== undefined ? await only(reason) : {};
    const own = { ...Object.fromEntries(settings), ...retried } as JsonObject;
    const run = await store.runs.start(version.id, mode, own);
    return { source: source.name, run: run.id };
  },
});

/** Late, because it brings the rules of a crawl, which help and mistakes can do without. */
async function only(reason: string): Promise<JsonObject> {
  const { RETRIED_REASON } = await import('../crawl/context/run-rules.ts');
  return { [RETRIED_REASON]: reason };
}
