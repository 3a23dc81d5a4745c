// package-lock.json and npm-shrinkwrap.json, versions 2 and 3: a map of folders to packages.

import { fieldOf, isRecord } from '../extract/data/json-fields.ts';
import { parseLargeJson } from '../text/parse-json.ts';
import {
  createPackageList,
  entriesOf,
  insideFolder,
  malformed,
  stringOf,
  tooLarge,
  MAX_ENTRIES,
  type LockedPackages,
  type LockfileText,
} from './locked-package.ts';

const MODULES = 'node_modules/';
/** A name is looked up in each folder above the one that depends on it. */
const MAX_FOLDER_DEPTH = 50;

/** The declared dependencies of a project. Peers count for a project, but not for a package, which does not choose them. */
export const NPM_DEPENDENCY_FIELDS = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
] as const;

export function readNpmLock({ path, text }: LockfileText): LockedPackages {
  const root = parseLargeJson(text);
  const folders = fieldOf(root, 'packages');
  if (!isRecord(folders)) throw malformed(path, 'it has no "packages"; npm 7 and later write them');
  const list = createPackageList('npm', path);
  const entries = Object.entries(folders);
  if (entries.length > MAX_ENTRIES) throw tooLarge(path, `${MAX_ENTRIES} packages`);
  for (const [folder, entry] of entries) {
    if (!folder.includes(MODULES)) readWorkspace(folder, entry);
    else if (fieldOf(entry, 'link') !== true) add(folder, entry, null);
  }
  return list.result();

  function readWorkspace(folder: string, workspace: unknown): void {
    const isInside = folder === '' || insideFolder(folder) === folder;
    if (!isInside || folder.split('/', MAX_FOLDER_DEPTH + 1).length > MAX_FOLDER_DEPTH)
      return list.skip(folder, 'name');
    for (const field of NPM_DEPENDENCY_FIELDS) {
      for (const [name] of entriesOf(fieldOf(workspace, field))) {
        const found = installedFolder(folder, name);
        if (found === null) continue; // optional, or a peer that is not installed
        const entry = fieldOf(folders, found);
        if (fieldOf(entry, 'link') === true) list.skip(name, 'local');
        else add(found, entry, folder);
      }
    }
  }

  /** As Node resolves a name: in the folder itself, then in each folder above. */
  function installedFolder(from: string, name: string): string | null {
    let folder = from;
    for (;;) {
      const candidate = `${folder === '' ? '' : `${folder}/`}${MODULES}${name}`;
      if (fieldOf(folders, candidate) !== undefined) return candidate;
      if (folder === '') return null;
      folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
    }
  }

  function add(folder: string, entry: unknown, workspace: string | null): void {
    const alias = folder.slice(folder.lastIndexOf(MODULES) + MODULES.length);
    const name = stringOf(entry, 'name') || alias;
    if (insideFolder(folder) !== folder) return list.skip(name, 'name');
    list.add({ name, version: stringOf(entry, 'version'), workspace, alias, folder });
  }
}
