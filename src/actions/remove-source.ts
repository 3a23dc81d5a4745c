// Removes a source with everything that belongs to it.

import { z } from 'zod';
import { pinakesError } from '../core/model/errors.ts';
import type { VersionStats } from '../store/port.ts';
import { action, localAccessOf } from './action.ts';
import { resolveSource } from './support/resolve.ts';

export const removeSource = action({
  name: 'remove_source',
  summary: 'Remove a source with its pages, runs and history, or the packages of a project',
  effect: 'write',
  input: z.strictObject({
    source: z.string().min(1).optional().describe('The name of the source'),
    project: z.string().min(1).optional().describe('Remove the packages that only the project in this folder uses'),
  }),
  output: z.object({
    removed: z.string(),
    packages: z
      .array(z.string())
      .readonly()
      .optional()
      .describe('With `project`: the versions that no other project uses'),
    pages: z.int(),
    chunks: z.int(),
  }),
  bindings: {
    cli: {
      command: 'remove',
      group: 'index',
      flags: ['yes'],
      positional: ['source'],
      example: 'pinakes remove docs.example.dev',
      paths: ['project'],
    },
    http: { method: 'DELETE', path: '/sources/{source}' },
    mcp: {
      title: 'Remove a source',
      description: 'Remove a source with all its pages. Call it only if the user asks for it: it cannot be undone.',
      tools: 'opt-in',
      hints: ['destructive'],
      fixedInput: { project: undefined },
    },
  },

  async check(input) {
    requireOne(input);
  },

  async run({ source: name, project }, deps) {
    const { store } = deps;
    requireOne({ source: name, project });
    if (project !== undefined) {
      const { files } = localAccessOf(deps);
      const { removeProject } = await import('../library/sync/used-versions.ts');
      // A folder that is gone is known by the path that it had.
      const folder = await files.stat(project).then(
        ({ path }) => path,
        () => project,
      );
      const used = (await store.projects.list()).find((one) => one.folder === folder)?.versions ?? [];
      const before = await store.stats.versions(used);
      const packages = await removeProject(store, folder);
      const after = new Set((await store.stats.versions(used)).map(({ version }) => version));
      return { removed: folder, packages, ...counted(before.filter(({ version }) => !after.has(version))) };
    }
    const source = await resolveSource(store, name ?? '');
    const stats = await store.stats.versions(source.versions.map(({ id }) => id));
    await store.sources.remove(source.id);
    return { removed: source.name, ...counted(stats) };
  },
});

function counted(stats: readonly VersionStats[]): { readonly pages: number; readonly chunks: number } {
  return {
    pages: stats.reduce((sum, { pages }) => sum + pages, 0),
    chunks: stats.reduce((sum, { chunks }) => sum + chunks, 0),
  };
}

function requireOne({
  source,
  project,
}: {
  readonly source?: string | undefined;
  readonly project?: string | undefined;
}): void {
  if ((source === undefined) === (project === undefined))
    throw pinakesError('input.invalid', { reason: 'name either a source or a project' });
}
