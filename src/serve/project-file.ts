// Reads and writes .pinakes/project.json of a folder that the user named.

import { lstat, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pinakesError } from '../core/model/errors.ts';
import { MAX_PROJECT_FILE_BYTES, parseProjectFile, PROJECT_FILE, projectScope } from '../core/project/project-file.ts';
import { systemReason } from '../platform/data-directory.ts';
import { updateTextFile } from '../platform/user-files.ts';
import type { ProjectScope } from './project-scope.ts';

/** The packages of the project that a folder belongs to: its own, or that of a folder above. Raises `project.unknown`. */
export async function loadProjectScope(directory: string): Promise<ProjectScope> {
  const start = await realpath(resolve(directory)).catch((error: unknown) => {
    throw pinakesError('files.unreadable', { path: directory, reason: systemReason(error) }, error);
  });
  for (let folder = start; ; folder = dirname(folder)) {
    const packages = parseProjectFile(await readSmall(join(folder, PROJECT_FILE)));
    const workspace = relative(folder, start).split(sep).join('/');
    if (packages !== null) return { directory: folder, ...projectScope(packages, workspace) };
    if (dirname(folder) === folder) throw pinakesError('project.unknown', { directory: start });
  }
}

async function readSmall(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  return found === null || !found.isFile() || found.size > MAX_PROJECT_FILE_BYTES ? null : readFile(path, 'utf8');
}

/** A folder that is a link is refused, as a file that is a link is: its bytes would be written to a path that the user did not name. */
export async function writeProjectFile(root: string, text: string): Promise<'created' | 'written' | 'unchanged'> {
  const file = join(root, PROJECT_FILE);
  const folder = await lstat(dirname(file)).catch(() => null);
  if (folder === null) await mkdir(dirname(file));
  else if (!folder.isDirectory())
    throw pinakesError('export.refused', { path: file, reason: 'its folder is not a folder of the project' });
  return updateTextFile(file, () => text);
}
