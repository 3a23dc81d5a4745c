// The packages that a project uses, from the lockfiles in its folder.

import { pinakesError } from '../../core/model/errors.ts';
import { MAX_LOCKFILE_BYTES, type LockedPackage, type SkippedEntry } from '../../core/project/locked-package.ts';
import { workspacePatterns } from '../../core/project/npm-manifests.ts';
import { LOCKFILES, readLockfile, type LockfileKind } from '../../core/project/read-lockfile.ts';
import { compileGlob, matchesGlob } from '../../core/url/glob.ts';
import type { ProjectFiles } from '../../fetch/port.ts';

export interface ProjectPackages {
  /** The lockfiles that were read. */
  readonly lockfiles: readonly string[];
  readonly packages: readonly LockedPackage[];
  readonly skipped: readonly SkippedEntry[];
}

/** The first lockfile of each ecosystem counts. Raises `project.no-lockfile`, `lockfile.malformed` or `lockfile.too-large`. */
export async function readProject(project: ProjectFiles): Promise<ProjectPackages> {
  const read = new Map<LockfileKind['ecosystem'], string>();
  const packages: LockedPackage[] = [];
  const skipped: SkippedEntry[] = [];
  for (const kind of LOCKFILES) {
    const text = read.has(kind.ecosystem) ? null : await project.readText(kind.file, MAX_LOCKFILE_BYTES);
    if (text === null) continue;
    const found = readLockfile(kind, { path: kind.file, text, manifests: await readManifests(project, kind) });
    read.set(kind.ecosystem, kind.file);
    packages.push(...found.packages);
    skipped.push(...found.skipped);
  }
  if (read.size === 0) throw pinakesError('project.no-lockfile', { directory: project.root });
  return { lockfiles: [...read.values()], packages, skipped };
}

const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;

async function readManifests(
  project: ProjectFiles,
  { manifests, readsWorkspaces }: LockfileKind,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const add = async (path: string): Promise<void> => {
    const text = await project.readText(path, MAX_MANIFEST_BYTES);
    if (text !== null) texts.set(path, text);
  };
  for (const path of manifests) await add(path);
  const patterns = readsWorkspaces === true ? workspacePatterns(texts.get('package.json') ?? '') : [];
  for (const folder of await workspaceFolders(project, patterns)) await add(`${folder}/package.json`);
  return texts;
}

const MAX_FOLDERS = 20_000;
const MAX_DEPTH = 6;

/** Folders that a pattern matches. Links are not followed, so the search ends. */
async function workspaceFolders(project: ProjectFiles, patterns: readonly string[]): Promise<readonly string[]> {
  if (patterns.length === 0) return [];
  const globs = patterns.map(compileGlob);
  const found: string[] = [];
  const open = [''];
  let seen = 0;
  for (let folder = open.pop(); folder !== undefined && seen < MAX_FOLDERS; folder = open.pop()) {
    for (const name of await project.folders(folder)) {
      if (name === 'node_modules') continue;
      seen += 1;
      const path = folder === '' ? name : `${folder}/${name}`;
      if (globs.some((glob) => matchesGlob(path, glob))) found.push(path);
      if (path.split('/').length < MAX_DEPTH) open.push(path);
    }
  }
  return found.toSorted();
}
