// Pauses, resumes or stops a run. The command is saved in the store, so it reaches the process that coordinates the run.

import { z } from 'zod';
import { pinakesError } from '../core/model/errors.ts';
import { action } from './action.ts';
import { RUN_REFERENCE, resolveRun } from './support/resolve.ts';

const RUN_COMMANDS = ['pause', 'resume', 'stop'] as const;

export const controlRun = action({
  name: 'control_run',
  summary: 'Pause, resume or stop a run',
  effect: 'write',
  input: z.strictObject({
    run: z.string().min(1).describe(RUN_REFERENCE),
    command: z.enum(RUN_COMMANDS).describe('What to do with the run'),
  }),
  output: z.object({
    run: z.int(),
    state: z.string(),
    escalatesInMs: z
      .int()
      .min(0)
      .optional()
      .describe('After a stop: when the URLs that are still in flight are dropped (crawl.stopGraceMs)'),
  }),
  bindings: {
    cli: [
      cliBinding('pause', 'Pause a run', 'pinakes pause docs.example.dev'),
      { ...cliBinding('resume', 'Resume a paused run', 'pinakes resume docs.example.dev'), flags: ['wait'] },
      cliBinding('stop', 'Stop a run and keep what it stored', 'pinakes stop docs.example.dev'),
    ],
    http: RUN_COMMANDS.map((command) => ({
      method: 'POST' as const,
      path: `/runs/{run}/${command}`,
      operation: `${command}_run`,
      fixedInput: { command },
    })),
    mcp: {
      title: 'Control a crawl',
      description:
        'Pause, resume or stop a run that crawl_status shows. A stopped run keeps what it stored; after escalatesInMs it drops what is still in flight.',
      tools: 'opt-in',
      hints: ['idempotent'],
    },
  },

  async run({ run: reference, command }, { store, bounds }) {
    const run = await resolveRun(store, reference);
    const accepted =
      command === 'stop'
        ? await store.runs.stopWithin(run.id, bounds.stopGraceMs)
        : await store.runs.control(run.id, command);
    const { state, abortsAt, readAt } = (await store.runs.byId(run.id)) ?? run;
    if (!accepted) throw pinakesError('run.invalid-state', { run: run.id, state, command });
    if (state !== 'stopping' || abortsAt === null) return { run: run.id, state };
    return { run: run.id, state, escalatesInMs: Math.max(0, abortsAt.getTime() - readAt.getTime()) };
  },
});

function cliBinding(command: (typeof RUN_COMMANDS)[number], summary: string, example: string) {
  return { command, group: 'runs' as const, positional: ['run'], fixedInput: { command }, summary, example };
}
