// Lists the milestones of a run, or of all runs.

import { z } from 'zod';
import type { Milestone } from '../store/port/journal.ts';
import { action } from './action.ts';
import { Cursors, cursorsOf, rangeFields, rangeOf } from './support/list-range.ts';
import { RUN_REFERENCE, resolveRunId } from './support/resolve.ts';

export const MilestoneView = z.object({
  id: z.int().describe('Increases with every milestone'),
  ts: z.iso.datetime(),
  run: z.int().nullable().describe('Null for one that an analysis found to be due'),
  job: z.string().describe('The number of the run, or `analysis-run`'),
  kind: z.string(),
  scope: z.string().describe('The host that it is about, or `run`; a specification fixes the name'),
  target: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
});

export type MilestoneView = z.output<typeof MilestoneView>;

export const listMilestones = action({
  name: 'list_milestones',
  summary: 'List what runs have reached, newest first',
  effect: 'read',
  input: z.strictObject({
    run: z.string().min(1).optional().describe(`${RUN_REFERENCE}; all runs by default`),
    job: z.string().min(1).optional().describe('Only those of this job: the number of a run, or `analysis-run`'),
    kind: z.string().min(1).optional().describe('Only milestones of this kind'),
    scope: z.string().min(1).optional().describe('Only milestones of this host, or those about a run: `run`'),
    ...rangeFields('milestones', { limit: 100, max: 500 }),
  }),
  output: z.object({ milestones: z.array(MilestoneView), cursors: Cursors }),
  bindings: {
    cli: {
      command: 'milestones',
      group: 'runs',
      positional: ['run'],
      example: 'pinakes milestones --kind seeds-prepared',
    },
    http: [
      { method: 'GET', path: '/milestones' },
      { method: 'GET', path: '/runs/{run}/milestones', operation: 'list_run_milestones' },
    ],
  },

  async run({ run: reference, job = null, kind = null, scope = null, ...range }, { store }) {
    const run = await resolveRunId(store, reference);
    const found = await store.journal.listMilestones({
      job: run === null ? job : String(run),
      kind,
      scope,
      ...rangeOf(range),
    });
    const numbers = found.map(({ id }) => id);
    return { milestones: found.map(milestoneView), cursors: cursorsOf(numbers, range) };
  },
});

function milestoneView({ at, details, ...milestone }: Milestone): MilestoneView {
  return { ...milestone, ts: at.toISOString(), details: { ...details } };
}
