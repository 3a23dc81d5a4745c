// Reads the text of a lockfile as the reader of its name does, for tests.

import type { LockedPackages } from '../../src/core/project/locked-package.ts';
import { LOCKFILES, readLockfile } from '../../src/core/project/read-lockfile.ts';

/** `manifests`: texts by path. */
export function readLockfileText(
  file: string,
  text: string,
  manifests: Readonly<Record<string, string>> = {},
): LockedPackages {
  const kind = LOCKFILES.find((one) => one.file === file);
  if (kind === undefined) throw new Error(`no reader for ${file}`);
  return readLockfile(kind, { path: file, text, manifests: new Map(Object.entries(manifests)) });
}

/** `name@version` with its workspaces for a direct dependency, and a minus sign for one that only others use. */
export function listLocked({ packages }: LockedPackages): string[] {
  return packages.map(({ name, version, isDirect, workspaces, aliases }) => {
    const uses = isDirect ? workspaces.map((workspace) => workspace || '.').join(' ') : '-';
    return [`${name}@${version}`, uses, ...(aliases.length === 0 ? [] : [`as ${aliases.join(' ')}`])].join(' ');
  });
}
