// Removes a source with everything that belongs to it.

import { z } from 'zod';
import type { VersionStats } from '../store/port.ts';
import { action } from './action.ts';
import { resolveSource } from './support/resolve.ts';

export const removeSource = action({
  name: 'remove_source',
  summary: 'Remove a source with its pages, runs and history',
  effect: 'write',
  input: z.strictObject({ source: z.string().min(1).describe('The name of the source') }),
  output: z.object({ removed: z.string(), pages: z.int(), chunks: z.int() }),
  bindings: {
    cli: { command: 'remove', positional: ['source'], example: 'pinakes remove docs.example.dev' },
    http: { method: 'DELETE', path: '/sources/{source}' },
    mcp: {
      title: 'Remove a source',
      description: 'Remove a source with all its pages. Call it only if the user asks for it: it cannot be undone.',
      tools: 'opt-in',
      hints: ['destructive'],
    },
  },

  async run({ source: name }, { store }) {
    const source = await resolveSource(store, name);
    const ids = new Set(source.versions.map(({ id }) => id));
    const stats = (await store.stats.versions()).filter(({ version }) => ids.has(version));
    await store.sources.remove(source.id);
    const sum = (count: (one: VersionStats) => number): number => stats.reduce((total, one) => total + count(one), 0);
    return { removed: name, pages: sum(({ pages }) => pages), chunks: sum(({ chunks }) => chunks) };
  },
});
