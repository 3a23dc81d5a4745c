// Which versions of packages the known projects use, and the removal of those that none of them uses.

import { pinakesError } from '../../core/model/errors.ts';
import type { VersionId } from '../../core/model/run.ts';
import type { Store } from '../../store/port.ts';
import { isPackageSourceName } from '../../core/project/locked-package.ts';
import type { Source } from '../../store/port/sources.ts';
import { isPackageSource } from './package-versions.ts';

/** Forgets what the project used before and uses no longer, and removes versions of packages that no project uses any more. */
export async function forgetUnused(
  root: string,
  { before, after }: { readonly before: Iterable<VersionId>; readonly after: readonly VersionId[] },
  store: Store,
): Promise<readonly string[]> {
  const used = new Set(after);
  const recorded = (await store.projects.list()).find(({ folder }) => folder === root)?.versions ?? [];
  if (recorded.some((version) => !used.has(version))) await store.projects.keep(root, after);
  const unused = [...before].filter((version) => !used.has(version));
  return unused.length === 0 ? [] : removeUnused(store, new Set(unused));
}

/** Removes the candidates that no project uses. */
async function removeUnused(store: Store, candidates: ReadonlySet<VersionId>): Promise<readonly string[]> {
  const used = new Set((await store.projects.list()).flatMap(({ versions }) => versions));
  const removed: string[] = [];
  for (const source of (await store.sources.list()).filter(isOfPackage)) {
    const unused = source.versions.filter(({ id }) => candidates.has(id) && !used.has(id));
    removed.push(...unused.map(({ label }) => `${source.name}@${label}`));
    if (unused.length === source.versions.length && unused.length > 0) await store.sources.remove(source.id);
    else for (const { id } of unused) await store.sources.removeVersion(id);
  }
  return removed;
}

/** Its files, or its documentation site. */
function isOfPackage(source: Source): boolean {
  return isPackageSource(source) || (source.kind === 'web' && isPackageSourceName(source.name));
}

/** Returns the versions that only this project used, as `npm:zod@3.25.1`. Raises `project.unknown`. */
export async function removeProject(store: Store, folder: string): Promise<readonly string[]> {
  const project = (await store.projects.list()).find((one) => one.folder === folder);
  if (project === undefined) throw pinakesError('project.unknown', { directory: folder });
  await store.projects.remove(folder);
  return removeUnused(store, new Set(project.versions));
}
