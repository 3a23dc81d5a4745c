// Whether a source is known well enough for a large backfill: the milestones that a specification wants first.

import { z } from 'zod';
import { BACKFILLS, missingPrerequisites, PREREQUISITES } from '../core/analysis/prerequisites.ts';
import { action } from './action.ts';
import { resolveVersion } from './support/resolve.ts';

export const showReadiness = action({
  name: 'show_readiness',
  summary: 'Show whether a source is known well enough to crawl its whole domain or all its versions',
  effect: 'read',
  input: z.strictObject({
    source: z.string().min(1).describe('The name of a source'),
    version: z.string().optional().describe('The version; the newest by default'),
    for: z.enum(BACKFILLS).default('wide-history').describe('What it should be ready for'),
  }),
  output: z.object({
    source: z.string(),
    version: z.string(),
    ready: z.boolean(),
    required: z.array(z.string()).describe('Kinds of milestones'),
    missing: z.array(z.string()).describe('Those not reached: crawl or analyze more first'),
  }),
  bindings: {
    cli: { command: 'ready', group: 'inspect', positional: ['source'], example: 'pinakes ready docs.example.dev' },
    http: { method: 'GET', path: '/sources/{source}/readiness' },
  },

  async run({ source: name, version: label }, { store }) {
    const { source, version } = await resolveVersion(store, name, label);
    const missing = missingPrerequisites(await store.analysis.reachedOnce(version.id));
    const about = { source: source.name, version: version.label };
    return { ...about, ready: missing.length === 0, required: [...PREREQUISITES], missing: [...missing] };
  },
});
