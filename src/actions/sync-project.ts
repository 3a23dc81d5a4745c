// Indexes the documentation of the packages that a project uses, at the versions in its lockfiles. Packages are read from this machine.

import { z } from 'zod';
import { resolveCrawlSettings } from '../core/model/preset.ts';
import { CrawlSettings, SourceSettings } from '../core/model/source-settings.ts';
import { pluralize } from '../core/text/plural.ts';
import type { JsonObject } from '../store/port/json.ts';
import { action, type ActionDeps, localAccessOf } from './action.ts';
import { requireWithinBounds } from './support/run-bounds.ts';

const SyncedPackage = z.object({
  source: z.string(),
  version: z.string(),
  workspaces: z.array(z.string()).readonly().describe('Those that depend on it; empty text for the root'),
  state: z
    .enum(['current', 'synced', 'undocumented', 'missing', 'failed'])
    .describe(
      'current: was there already; synced: read or crawled now; the others have no documentation in the library',
    ),
  pages: z.int(),
  index: z.string().nullable().describe('Hash of its pages; null without documentation, and for pages of a site'),
  site: z.string().nullable().describe('The documentation site that a package without documentation names'),
  reason: z.string().nullable().describe('Why it has no documentation'),
});

export const syncProject = action({
  name: 'sync_project',
  summary: 'Index the documentation of the packages that a project uses, at the versions in its lockfiles',
  effect: 'write',
  needsAllSources: true,
  input: z.strictObject({
    dir: z.string().min(1).default('.').describe('The folder with the lockfile'),
    all: z.boolean().default(false).describe('Include packages that only other packages use'),
    includeSources: z.boolean().default(false).describe('Index source files too'),
    crawl: z
      .boolean()
      .default(false)
      .describe('Crawl the documentation sites that packages without documentation name'),
    check: z.boolean().default(false).describe('Only report what does not match the lockfile, and change nothing'),
  }),
  output: z.object({
    project: z.string().describe('The folder of the project'),
    lockfiles: z.array(z.string()).readonly(),
    packages: z.array(SyncedPackage).readonly().describe('Empty with `check`'),
    mismatches: z
      .array(z.object({ source: z.string(), version: z.string(), reason: z.string() }))
      .readonly()
      .describe('With `check`: what does not match'),
    removed: z.array(z.string()).readonly().describe('Versions that no project uses any more'),
    skipped: z
      .array(z.object({ name: z.string(), reason: z.enum(['name', 'version', 'unpinned', 'local']) }))
      .readonly()
      .describe('Entries of lockfiles that name no version of a package'),
    file: z.string().nullable().describe('The text of .pinakes/project.json; null with `check`'),
  }),
  bindings: {
    cli: {
      command: 'sync',
      group: 'index',
      flags: ['watch'],
      positional: ['dir'],
      example: 'pinakes sync',
      paths: ['dir'],
    },
  },

  async run({ dir, all, includeSources, crawl, check }, deps) {
    const { store, index, onProgress, signal } = deps;
    const { files } = localAccessOf(deps);
    const request = { dir, all, includeSources, crawl: crawl ? siteSettings(deps) : null };
    if (check) {
      const { checkProject } = await import('../library/sync/check-project.ts');
      const { root, mismatches } = await checkProject(request, { store, files });
      return { project: root, lockfiles: [], packages: [], mismatches, removed: [], skipped: [], file: null };
    }
    const { syncProject: sync } = await import('../library/sync/sync-project.ts');
    const { projectFileText } = await import('../core/project/project-file.ts');
    const onPackage: Parameters<typeof sync>[1]['onPackage'] = (
      { source, version, state, pages, reason },
      done,
      total,
    ) =>
      onProgress({
        step: [`${source} ${version}`, reason ?? `${state}, ${pluralize(pages, 'page')}`].join(': '),
        done,
        total,
      });
    const { createCatalogInstaller } = await import('../library/catalog/install-bundle.ts');
    const installer = createCatalogInstaller(deps.catalogs, { store, index, signal });
    const { install: installFromCatalog } = installer;
    const syncDeps = { store, index, files, onPackage, installFromCatalog, signal };
    const { root, ...result } = await sync(request, syncDeps).finally(() => installer.close());
    const hasWorkspaces = result.packages.some(({ workspaces }) => workspaces.some((one) => one !== ''));
    const recorded = result.packages.filter(
      ({ index: id, site, state }) => id !== null || site !== null || state === 'undocumented',
    );
    const file = projectFileText(
      recorded.map(({ source, version, index: id, site, workspaces }) => ({
        source,
        version,
        index: id,
        ...(site !== null && { site }),
        ...(hasWorkspaces && { workspaces: [...workspaces] }),
      })),
    );
    return { project: root, ...result, mismatches: [], file };
  },
});

/** The settings of a site that is added without any. */
function siteSettings({ presets, bounds }: Pick<ActionDeps, 'presets' | 'bounds'>): JsonObject {
  const settings = { ...SourceSettings.parse({}), ...resolveCrawlSettings(CrawlSettings.parse({}), presets) };
  requireWithinBounds(settings, bounds);
  return settings;
}
