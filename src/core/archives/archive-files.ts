// Selects the files of an archive that a source reads, by path alone, before any is unpacked.

import { DEFAULT_IGNORES } from '../files/default-ignores.table.ts';
import { ignoreVerdict, parseIgnoreFile } from '../files/ignore-file.ts';
import { isReaderInput } from '../packages/package-content.ts';
import { selectPackageFiles } from '../packages/package-files.ts';
import type { ReaderEcosystem } from '../packages/package-folder.ts';
import { REGISTRY_READERS, type PackageReference } from './package-reference.ts';
import { versionOfRef, type GitReference } from './git-reference.ts';

type FileFilter = (path: string) => boolean;

/**
 * For a repository: everything in the folder that the reference names, or else the documentation files. For a package: the files that its
 * reader needs.
 */
export function packageFileFilter(reference: GitReference | PackageReference): FileFilter {
  if (reference.kind === 'package') return packageFilter(REGISTRY_READERS[reference.registry], reference.range);
  const { folder, ref } = reference;
  if (folder === '') return packageFilter('npm', versionOfRef(ref), true);
  const rules = [parseIgnoreFile(DEFAULT_IGNORES.join('\n'), '')];
  return (path) => (path === folder || path.startsWith(`${folder}/`)) && !isIgnored(path, rules);
}

function isIgnored(path: string, rules: Parameters<typeof ignoreVerdict>[2]): boolean {
  const segments = path.split('/');
  return segments.some(
    (_, at) => ignoreVerdict(segments.slice(0, at + 1).join('/'), at < segments.length - 1, rules).ignored,
  );
}

function packageFilter(ecosystem: ReaderEcosystem, version: string, isProseOnly = false): FileFilter {
  const manifest = { ecosystem, name: '', version, fields: {} };
  return (path) => {
    if (!isProseOnly && isReaderInput(ecosystem, path)) return true;
    // The size is only known later; it decides nothing for documentation.
    const [selected] = selectPackageFiles(manifest, [{ path, size: 1 }]);
    return selected !== undefined && selected.kind !== 'source' && selected.kind !== 'declarations';
  };
}
