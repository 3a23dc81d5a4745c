// What a user may say about a source when it is added, and for one run: the scope of the crawl. Declared once; doors,
// store and conductors share it.

import { z } from 'zod';

export const SourceSettings = z.strictObject({
  breadth: z
    .enum(['path', 'host', 'domain'])
    .default('path')
    .describe('How far from the start: its folder, its host, or its whole domain'),
  allow: z.array(z.string()).default([]).describe('Only URLs whose path matches one of these globs'),
  block: z.array(z.string()).default([]).describe('No URL whose path matches one of these globs'),
  maxDepth: z.int().min(0).nullable().default(null).describe('Links away from the start; unlimited unless set'),
  maxPages: z.int().min(1).nullable().default(null).describe('Pages to accept at most; unlimited unless set'),
});

export type SourceSettings = z.output<typeof SourceSettings>;
