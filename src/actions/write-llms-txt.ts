// Writes llms.txt of a project from its index. The command line puts it into a file of the caller.

import { z } from 'zod';
import { action } from './action.ts';
import { resolveVersion } from './support/resolve.ts';

export const writeLlmsTxt = action({
  name: 'write_llms_txt',
  summary: 'Write llms.txt of a project from its index: a summary, and its pages in sections',
  effect: 'read',
  input: z.strictObject({
    source: z.string().min(1).describe('The name of a source'),
    version: z.string().optional().describe('The version; the newest by default'),
  }),
  output: z.object({
    text: z.string().describe('The file, with at most 150 links'),
    pages: z.int().describe('Pages of the source'),
  }),
  bindings: {
    cli: {
      command: 'llms-txt',
      group: 'search',
      flags: ['out'],
      positional: ['source'],
      example: 'pinakes llms-txt docs --out docs/llms.txt',
    },
    http: { method: 'GET', path: '/sources/{source}/llms-txt' },
  },

  async run({ source: name, version: label }, { store }) {
    const { source, version } = await resolveVersion(store, name, label);
    const { writeLlmsTxt: write } = await import('../library/docs-files.ts');
    return write(store, source, version);
  },
});
