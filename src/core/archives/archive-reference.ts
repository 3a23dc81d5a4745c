// The reference of a source whose content is one fetched archive: a repository or a package.

import { sourceLabel } from '../model/source-name.ts';
import { packageSourceName } from '../project/locked-package.ts';
import {
  formatGitReference,
  gitSourceName,
  isGitReference,
  parseGitReference,
  type GitReference,
} from './git-reference.ts';
import { isPackageReference, parsePackageReference, type PackageReference } from './package-reference.ts';

export type ArchiveReference = GitReference | PackageReference;

/** Null for other texts. Raises `git.invalid` or `package.invalid`. */
export function parseArchiveReference(text: string): ArchiveReference | null {
  if (isGitReference(text)) return parseGitReference(text);
  return isPackageReference(text) ? parsePackageReference(text) : null;
}

export function formatArchiveReference(reference: ArchiveReference): string {
  if (reference.kind === 'git') return formatGitReference(reference);
  const { registry, name, range } = reference;
  return `${registry}:${name}${range === '' ? '' : `@${range}`}`;
}

/** Versions of one repository, or of one package, are versions of one source. */
export function archiveSourceName(reference: ArchiveReference): string {
  if (reference.kind === 'git') return sourceLabel(gitSourceName(reference));
  return packageSourceName({ ecosystem: reference.registry, name: reference.name });
}

/** Whether two references name the same repository or package, at any version. */
export function isSameArchiveSource(left: ArchiveReference, right: ArchiveReference): boolean {
  return formatArchiveReference(withoutVersion(left)) === formatArchiveReference(withoutVersion(right));
}

function withoutVersion(reference: ArchiveReference): ArchiveReference {
  return reference.kind === 'git' ? { ...reference, ref: null } : { ...reference, range: '' };
}
