// A package folder in memory.

import type { ReaderEcosystem, PackageFolder } from '../../src/core/packages/package-folder.ts';

export function packageFolder(
  files: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, unknown>> = {},
  ecosystem: ReaderEcosystem = 'npm',
): PackageFolder {
  const { name = 'kettle', version = '2.1.0' } = fields as { readonly name?: string; readonly version?: string };
  return {
    manifest: { ecosystem, name, version, fields },
    files: Object.entries(files).map(([path, text]) => ({ path, size: text.length })),
    read(path) {
      if (!(path in files)) throw new Error(`${path} is not in the folder`);
      return files[path];
    },
  };
}
