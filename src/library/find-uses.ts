// Finds the lines of a project that use what a newer version of a package no longer has. The project is read and never run.

import { createApiView } from '../core/diff/api-view.ts';
import { documentedApi } from '../core/diff/documented-api.ts';
import { usedApi } from '../core/diff/used-api.ts';
import type { ApiUse } from '../core/diff/used-values.ts';
import type { GrammarLoader } from '../core/chunk/code/grammar-loader.ts';
import { PinakesError } from '../core/model/errors.ts';
import type { ProjectFiles } from '../fetch/port.ts';
import type { LoadedVersions } from './compare-versions.ts';

export interface ProjectUse extends ApiUse {
  /** Relative to the folder of the project. */
  readonly file: string;
}

interface UseSearch {
  readonly project: ProjectFiles;
  /** As imports name it. */
  readonly packageName: string;
  readonly versions: LoadedVersions;
}

const MAX_FILES = 20_000;
const MAX_FILE_BYTES = 1_000_000;
const MAX_DEPTH = 20;
const MAX_USES = 5000;
/** Folders with files that a build or a package manager wrote. */
const SKIPPED = new Set(['node_modules', 'dist', 'build', 'out', 'coverage', 'vendor']);

/** In the order of the files. */
export async function findUses(
  { project, packageName, versions }: UseSearch,
  { grammars, signal }: { readonly grammars: GrammarLoader; readonly signal: AbortSignal },
): Promise<readonly ProjectUse[]> {
  await grammars.prepare('typescript');
  await grammars.prepare('tsx');
  const [old, current] = [versions.before, versions.after].map(({ pages }) => createApiView(documentedApi(pages)));
  if (old === undefined || current === undefined) return [];
  const uses: ProjectUse[] = [];
  for await (const path of programFiles(project, '', 0)) {
    signal.throwIfAborted();
    const text = await readProgram(project, path);
    if (text === null || !text.includes(packageName)) continue;
    const tree = grammars.ready(/\.[cm]?ts$/.test(path) ? 'typescript' : 'tsx')?.parse(text) ?? null;
    if (tree === null) continue;
    try {
      for (const use of usedApi(tree.rootNode, text, { packageName, old, current })) uses.push({ file: path, ...use });
    } finally {
      tree.delete();
    }
    if (uses.length > MAX_USES) break;
  }
  return uses.slice(0, MAX_USES);
}

/** Sorted by path; links are not followed. */
async function* programFiles(project: ProjectFiles, folder: string, depth: number): AsyncGenerator<string> {
  const inside = (name: string): string => (folder === '' ? name : `${folder}/${name}`);
  let count = 0;
  for (const name of await project.files(folder)) {
    if (!/\.[cm]?[jt]sx?$/.test(name) || /\.(?:d\.[cm]?ts|min\.js)$/.test(name)) continue;
    yield inside(name);
    count += 1;
    if (count === MAX_FILES) return;
  }
  if (depth === MAX_DEPTH) return;
  for (const name of await project.folders(folder))
    if (!SKIPPED.has(name)) yield* programFiles(project, inside(name), depth + 1);
}

/** Null for a file that is too large to be written by hand. */
async function readProgram(project: ProjectFiles, path: string): Promise<string | null> {
  try {
    return await project.readText(path, MAX_FILE_BYTES);
  } catch (error) {
    if (error instanceof PinakesError && error.code === 'lockfile.too-large') return null;
    throw error;
  }
}
