// The state of runs, newest first.

import { z } from 'zod';
import { pinakesError } from '../core/model/errors.ts';
import type { RunId } from '../core/model/run.ts';
import { action } from './action.ts';
import { RunView, viewOfRun } from './run-view.ts';

export const crawlStatus = action({
  name: 'crawl_status',
  summary: 'Show what runs did and what they are doing',
  effect: 'read',
  input: z.strictObject({
    run: z.int().optional().describe('Only this run'),
    limit: z.int().min(1).max(100).default(10).describe('How many runs to show'),
  }),
  output: z.object({ runs: z.array(RunView) }),
  doors: { cli: { command: 'status', positional: ['run'], example: 'pinakes status' } },

  async run({ run, limit }, { store }) {
    const sources = await store.sources.list();
    if (run === undefined) return { runs: (await store.runs.list(limit)).map((one) => viewOfRun(one, sources)) };
    const found = await store.runs.byId(run as RunId);
    if (found === null) throw pinakesError('run.unknown', { run });
    return { runs: [viewOfRun(found, sources)] };
  },
});
