// Which lockfiles there are, and how each is read.

import { readBunLock } from './bun-lock.ts';
import { readCargoLock, readComposerLock, readGemfileLock } from './cargo-gem-composer-locks.ts';
import { readGoMod } from './go-mod.ts';
import {
  MAX_LOCKFILE_BYTES,
  tooLarge,
  type Ecosystem,
  type LockedPackages,
  type LockfileText,
} from './locked-package.ts';
import { readNpmLock } from './npm-lock.ts';
import { readPnpmLock } from './pnpm-lock.ts';
import { readPipfileLock, readPoetryLock, readRequirements, readUvLock } from './python-locks.ts';
import { readYarnLock } from './yarn-lock.ts';

export interface LockfileKind {
  readonly file: string;
  readonly ecosystem: Ecosystem;
  /** Files next to it that list the direct dependencies. */
  readonly manifests: readonly string[];
  /** It needs the manifest of every workspace too. */
  readonly readsWorkspaces?: true;
  readonly read: (lockfile: LockfileText) => LockedPackages;
}

/** The first of an ecosystem that exists counts, as its manager decides. */
export const LOCKFILES: readonly LockfileKind[] = [
  { file: 'npm-shrinkwrap.json', ecosystem: 'npm', manifests: [], read: readNpmLock },
  { file: 'package-lock.json', ecosystem: 'npm', manifests: [], read: readNpmLock },
  { file: 'pnpm-lock.yaml', ecosystem: 'npm', manifests: [], read: readPnpmLock },
  { file: 'yarn.lock', ecosystem: 'npm', manifests: ['package.json'], readsWorkspaces: true, read: readYarnLock },
  { file: 'bun.lock', ecosystem: 'npm', manifests: [], read: readBunLock },
  { file: 'uv.lock', ecosystem: 'pypi', manifests: [], read: readUvLock },
  { file: 'poetry.lock', ecosystem: 'pypi', manifests: ['pyproject.toml'], read: readPoetryLock },
  { file: 'Pipfile.lock', ecosystem: 'pypi', manifests: ['Pipfile'], read: readPipfileLock },
  { file: 'requirements.txt', ecosystem: 'pypi', manifests: [], read: readRequirements },
  { file: 'Cargo.lock', ecosystem: 'cargo', manifests: [], read: readCargoLock },
  { file: 'go.mod', ecosystem: 'go', manifests: ['go.sum'], read: readGoMod },
  { file: 'Gemfile.lock', ecosystem: 'gem', manifests: [], read: readGemfileLock },
  { file: 'composer.lock', ecosystem: 'composer', manifests: ['composer.json'], read: readComposerLock },
];

/** Raises `lockfile.malformed` or `lockfile.too-large`. */
export function readLockfile(kind: LockfileKind, lockfile: LockfileText): LockedPackages {
  const longest = Math.max(lockfile.text.length, ...Array.from(lockfile.manifests.values(), ({ length }) => length));
  if (longest > MAX_LOCKFILE_BYTES) throw tooLarge(lockfile.path, `${MAX_LOCKFILE_BYTES} bytes`);
  return kind.read(lockfile);
}
