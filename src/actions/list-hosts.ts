// Lists the hosts of a run, live or ended.

import { z } from 'zod';
import { action } from './action.ts';
import { RUN_REFERENCE, resolveRun } from './support/resolve.ts';
import { HostView, loadHosts } from './support/run-hosts.ts';

export const listHosts = action({
  name: 'list_hosts',
  summary: 'List the hosts of a run with their metrics',
  effect: 'read',
  input: z.strictObject({
    run: z.string().min(1).describe(RUN_REFERENCE),
    limit: z.int().min(1).max(1000).default(100).describe('Maximum number of hosts'),
  }),
  output: z.object({ run: z.int(), hosts: z.array(HostView).describe('Most requests first') }),
  bindings: {
    cli: { command: 'hosts', group: 'runs', positional: ['run'], example: 'pinakes hosts docs.example.dev' },
    http: { method: 'GET', path: '/runs/{run}/hosts' },
  },

  async run({ run: reference, limit }, { store }) {
    const run = await resolveRun(store, reference);
    return { run: run.id, hosts: await loadHosts(store, run, limit) };
  },
});
