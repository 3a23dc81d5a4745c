// Reads a page, a section or a passage.

import { z } from 'zod';
import { SourceReferences } from '../core/model/source-name.ts';
import { action } from './action.ts';
import { FileLink, withFileLink } from './support/file-link.ts';
import { IsImported } from './support/imported-page.ts';
import { InjectionFlags, withInjectionFlags } from './support/injection-flags.ts';

export const readDocs = action({
  name: 'read_docs',
  summary: 'Read a page, a section of it, or a passage found by search',
  effect: 'read',
  input: z.strictObject({
    target: z
      .string()
      .trim()
      .min(1)
      .max(4000)
      .describe('URL or path of a page, with or without #section, or id of a passage'),
    source: SourceReferences.optional().describe('Only these sources'),
    version: z.string().max(100).optional().describe('A version, a range or latest'),
    section: z.string().max(500).optional().describe('Anchor or text of a heading'),
    fromLine: z.int().min(1).default(1).describe('`nextLine` of the previous result'),
    budget: z.int().min(200).max(8000).default(2000).describe('Maximum tokens'),
  }),
  output: z.object({
    source: z.string(),
    version: z.string(),
    declaredVersion: z
      .string()
      .nullable()
      .describe('Version that the site declares for the documented product; null if none'),
    url: z.string(),
    link: FileLink,
    title: z.string(),
    checkedAt: z.iso.datetime().describe('When the page was last confirmed current, or imported'),
    isImported: IsImported,
    lines: z.object({ first: z.int(), last: z.int() }),
    text: z.string(),
    injectionFlags: InjectionFlags,
    tokens: z.int(),
    nextLine: z.int().nullable().describe('The line to continue from; null at the end'),
  }),
  bindings: {
    cli: {
      command: 'read',
      group: 'search',
      flags: ['project'],
      positional: ['target'],
      example: 'pinakes read https://docs.example.dev/guide#install',
    },
    http: [
      { method: 'GET', path: '/pages/{target}', operation: 'read_page' },
      { method: 'GET', path: '/chunks/{target}', operation: 'read_chunk' },
    ],
    mcp: {
      title: 'Read documentation',
      description:
        'Read a page, a section or a passage of the indexed documentation. Call it when a passage of search_docs is too short. Continue with `fromLine`.',
      tools: 'default',
    },
  },

  async run(input, { store }) {
    // Imported lazily: it loads the stop words of all languages, which help and usage errors do not need.
    const { createReadDocs } = await import('../search/read-docs.ts');
    return withFileLink(withInjectionFlags(await createReadDocs(store)(input)));
  },
});
