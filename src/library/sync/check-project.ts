// Compares the library with the lockfiles of a project. Reads only.

import { packageSourceName, type LockedPackage } from '../../core/project/locked-package.ts';
import { READERS } from '../../core/project/package-run.ts';
import { catalogContent, findVersion, indexIdOf, isCurrent } from './package-versions.ts';
import { findSite } from './package-site.ts';
import { readProject } from './read-project.ts';
import { readContents, readKnown, type PackageContext, type SyncDeps, type SyncRequest } from './sync-project.ts';
import type { ProjectPackage } from '../../core/project/project-file.ts';

export interface PackageMismatch {
  readonly source: string;
  readonly version: string;
  readonly reason: string;
}

/** Packages that a sync would add or change, and those that the project file lists although no lockfile does. */
export async function checkProject(
  request: SyncRequest,
  deps: Pick<SyncDeps, 'store' | 'files'>,
): Promise<{ readonly root: string; readonly packages: number; readonly mismatches: readonly PackageMismatch[] }> {
  const project = await deps.files.openProject(request.dir);
  const { packages } = await readProject(project);
  const wanted = packages.filter(({ isDirect }) => isDirect || request.all);
  const recorded = new Map(await readKnown(project));
  const contents = await readContents(deps.store, project.root);
  const mismatches: PackageMismatch[] = [];
  for (const locked of wanted) {
    const source = packageSourceName(locked);
    const key = `${source}@${locked.version}`;
    const reason = await mismatchOf(locked, recorded.get(key), { ...request, contents }, deps);
    recorded.delete(key);
    if (reason !== null) mismatches.push({ source, version: locked.version, reason });
  }
  for (const { source, version } of recorded.values())
    mismatches.push({ source, version, reason: 'the project does not use this version' });
  return { root: project.root, packages: wanted.length, mismatches };
}

async function mismatchOf(
  locked: LockedPackage,
  recorded: ProjectPackage | undefined,
  { includeSources, crawl, contents }: SyncRequest & Pick<PackageContext, 'contents'>,
  { store }: Pick<SyncDeps, 'store'>,
): Promise<string | null> {
  if (READERS[locked.ecosystem] === undefined) return null;
  if (recorded === undefined) return 'it is not in the project file';
  if (recorded.index === null) {
    const { source, version, site } = recorded;
    const isToCrawl =
      crawl !== null && site !== undefined && (await findSite(store, { source, version, site })) === null;
    return isToCrawl ? 'its documentation site is not in the library' : null;
  }
  const stored = await findVersion(store, locked);
  if (stored === null) return 'it is not in the library';
  const content = contents.get(stored.version.id);
  if (content === undefined) return 'this project was not synced with this library';
  const { index } = await indexIdOf(store, stored.version.id);
  if (content !== catalogContent(index) && !isCurrent(stored, { content, includeSources }))
    return 'it is not in the library as this project has it';
  return index === recorded.index ? null : 'the library has other content than the project file says';
}
