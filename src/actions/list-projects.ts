// Lists the projects that were synced, with the versions of the packages that each of them uses.

import { z } from 'zod';
import { action } from './action.ts';

const ProjectView = z.object({
  folder: z.string().describe('On the machine that synced it'),
  packages: z
    .array(z.object({ source: z.string(), version: z.string(), pages: z.int() }))
    .readonly()
    .describe('Those with documentation in the library, by name'),
});

export type ProjectView = z.output<typeof ProjectView>;

export const listProjects = action({
  name: 'list_projects',
  summary: 'List the projects that were synced, with their packages',
  effect: 'read',
  needsAllSources: true,
  input: z.strictObject({}),
  output: z.object({ projects: z.array(ProjectView).readonly().describe('By folder') }),
  bindings: {
    cli: { command: 'projects', group: 'inspect', positional: [], example: 'pinakes projects' },
    http: { method: 'GET', path: '/projects' },
  },

  async run(_input, { store }) {
    const projects = await store.projects.list();
    if (projects.length === 0) return { projects: [] };
    const [sources, stats] = await Promise.all([
      store.sources.list(),
      store.stats.versions([...new Set(projects.flatMap(({ versions }) => versions))]),
    ]);
    const pagesOf = new Map(stats.map(({ version, pages }) => [version, pages]));
    const named = new Map(
      sources.flatMap(({ name, versions }) =>
        versions.map(({ id, label }) => [id, { source: name, version: label, pages: pagesOf.get(id) ?? 0 }]),
      ),
    );
    return {
      projects: projects.map(({ folder, versions }) => ({
        folder,
        packages: versions
          .flatMap((id) => named.get(id) ?? [])
          .toSorted((left, right) => (`${left.source}@${left.version}` < `${right.source}@${right.version}` ? -1 : 1)),
      })),
    };
  },
});
