// Writes the block that tells an agent which documentation it can search. The command line puts it into a file of the caller.

import { z } from 'zod';
import { createSourceFinder } from '../core/model/source-reference.ts';
import { action } from './action.ts';
import { resolveSource } from './support/resolve.ts';

export const writeAgentsMd = action({
  name: 'write_agents_md',
  summary: 'Write a block for AGENTS.md or CLAUDE.md that names the indexed documentation',
  effect: 'read',
  input: z.strictObject({
    sources: z
      .array(z.string().min(1))
      .max(1000)
      .default([])
      .describe('Only these sources: NAME or NAME@VERSION; all by default'),
  }),
  output: z.object({
    text: z.string().describe('The block with its marks, at most 8 kB'),
    sources: z.int().describe('Sources that it is about: those with at least one page'),
  }),
  bindings: {
    cli: {
      command: 'agents-md',
      group: 'search',
      flags: ['project', 'write'],
      positional: [],
      example: 'pinakes agents-md --write AGENTS.md',
    },
    http: { method: 'GET', path: '/agents-md' },
  },

  async run({ sources }, { store }) {
    const find = createSourceFinder(await store.sources.list());
    for (const name of sources) if (find(name) === undefined) await resolveSource(store, name);
    const { writeAgentsMd: write } = await import('../library/agents-md.ts');
    return write(store, sources.length === 0 ? null : sources);
  },
});
