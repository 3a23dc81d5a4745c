// Lists the milestones of a run, or of all runs.

import { z } from 'zod';
import { milestoneFacts } from '../core/model/milestone.ts';
import type { Milestone } from '../store/port.ts';
import { action } from './action.ts';
import { Cursors, cursorsOf, rangeFields, rangeOf } from './support/list-range.ts';
import { RUN_REFERENCE, resolveRunId } from './support/resolve.ts';

export const MilestoneView = z.object({
  id: z.int().describe('Increases with every milestone'),
  ts: z.iso.datetime(),
  run: z.int(),
  kind: z.string(),
  scope: z.string().describe('Kind of target: always a run'),
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
    kind: z.string().min(1).optional().describe('Only milestones of this kind'),
    ...rangeFields('milestones', { limit: 100, max: 500 }),
  }),
  output: z.object({ milestones: z.array(MilestoneView), cursors: Cursors }),
  bindings: {
    cli: { command: 'milestones', positional: ['run'], example: 'pinakes milestones --kind seeded' },
    http: [
      { method: 'GET', path: '/milestones' },
      { method: 'GET', path: '/runs/{run}/milestones', operation: 'list_run_milestones' },
    ],
  },

  async run({ run: reference, kind = null, ...range }, { store }) {
    const run = await resolveRunId(store, reference);
    const found = await store.journal.listMilestones({ run, kind, ...rangeOf(range) });
    const numbers = found.map(({ id }) => id);
    return { milestones: found.map(milestoneView), cursors: cursorsOf(numbers, range) };
  },
});

function milestoneView({ id, at, run, kind, details }: Milestone): MilestoneView {
  return { id, ts: at.toISOString(), run, ...milestoneFacts(run, kind), details: { ...details } };
}
