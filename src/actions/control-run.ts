// Pauses, resumes or stops a run. The wish is kept in the store, so it reaches whichever process conducts the run.

import { z } from 'zod';
import { pinakesError } from '../core/model/errors.ts';
import { action } from './action.ts';
import { oneRun, WHICH_RUN } from './one-run.ts';

const WISHES = ['pause', 'resume', 'stop'] as const;

export const controlRun = action({
  name: 'control_run',
  summary: 'Pause, resume or stop a run',
  effect: 'write',
  input: z.strictObject({
    run: z.string().min(1).describe(WHICH_RUN),
    wish: z.enum(WISHES).describe('What the run shall do'),
  }),
  output: z.object({ run: z.int(), state: z.string() }),
  doors: {
    cli: [
      door('pause', 'Let a run rest; nothing is lost', 'pinakes pause docs.example.dev'),
      door('resume', 'Let a paused run go on', 'pinakes resume docs.example.dev'),
      door('stop', 'End a run; what it stored stays', 'pinakes stop docs.example.dev'),
    ],
    http: WISHES.map((wish) => ({ method: 'POST' as const, path: `/runs/{run}/${wish}`, says: { wish } })),
    mcp: { title: 'Control a crawl', tools: 'opt-in' },
  },

  async run({ run: named, wish }, { store }) {
    const run = await oneRun(store, named);
    const done = await store.runs.control(run.id, wish);
    const { state } = (await store.runs.byId(run.id)) ?? run;
    if (!done) throw pinakesError('run.state', { run: run.id, state, wish });
    return { run: run.id, state };
  },
});

function door(wish: (typeof WISHES)[number], summary: string, example: string) {
  return { command: wish, positional: ['run'], says: { wish }, summary, example };
}
