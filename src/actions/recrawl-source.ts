// Starts another run of a source.

import { z } from 'zod';
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
      .enum(['incremental', 'refresh', 'full'])
      .default('incremental')
      .describe('Look for new pages too, ask known pages only, or read everything again'),
    ...RunOverrides.shape,
  }),
  output: z.object({ source: z.string(), run: z.int() }),
  doors: {
    cli: { command: 'recrawl', positional: ['source'], example: 'pinakes recrawl docs.example.dev --wait' },
    http: { method: 'POST', path: '/sources/{source}/recrawl' },
    mcp: { title: 'Bring a source up to date', tools: 'opt-in' },
  },

  async run({ source: name, version: label, mode, ...given }, { store }) {
    const { source, version } = await oneVersion(store, name, label);
    const settings = Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
    const run = await store.runs.start(version.id, mode, Object.fromEntries(settings) as JsonObject);
    return { source: source.name, run: run.id };
  },
});
