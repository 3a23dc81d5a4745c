// The state of runs, newest first; for one run also why URLs were kept out.

import { z } from 'zod';
import { pinakesError } from '../core/model/errors.ts';
import { OUTCOME_NAMES, type OutcomeName } from '../core/model/outcome.ts';
import type { RunId } from '../core/model/run.ts';
import type { Store } from '../store/port.ts';
import { action } from './action.ts';
import { RunView, viewOfRun } from './run-view.ts';

const Reason = z.object({
  outcome: z.enum(OUTCOME_NAMES),
  reason: z.string(),
  times: z.int(),
  example: z.string().describe('One of the URLs'),
});

export type ReasonView = z.output<typeof Reason>;

/** The outcomes that somebody may want to be told the reasons of. */
const EXPLAINED: readonly OutcomeName[] = ['failed', 'refused', 'skipped', 'gone', 'missing', 'dropped'];
const REASONS_EACH = 10;

export const crawlStatus = action({
  name: 'crawl_status',
  summary: 'Show what runs did and what they are doing',
  effect: 'read',
  input: z.strictObject({
    run: z.int().optional().describe('Only this run, with the reasons why URLs were refused, left out or failed'),
    limit: z.int().min(1).max(100).default(10).describe('How many runs to show'),
  }),
  output: z.object({
    runs: z.array(RunView),
    reasons: z.array(Reason).describe('Of the one run that was asked for, most frequent first; else empty'),
  }),
  doors: { cli: { command: 'status', positional: ['run'], example: 'pinakes status' } },

  async run({ run, limit }, { store }) {
    const sources = await store.sources.list();
    if (run === undefined) {
      return { runs: (await store.runs.list(limit)).map((one) => viewOfRun(one, sources)), reasons: [] };
    }
    const found = await store.runs.byId(run as RunId);
    if (found === null) throw pinakesError('run.unknown', { run });
    return { runs: [viewOfRun(found, sources)], reasons: await reasonsOf(store, found.id) };
  },
});

async function reasonsOf(store: Store, run: RunId): Promise<ReasonView[]> {
  const all: ReasonView[] = [];
  for (const outcome of EXPLAINED) {
    const found = await store.frontier.reasons(run, outcome, REASONS_EACH);
    all.push(...found.map((one) => ({ outcome, ...one })));
  }
  return all;
}
