// Files that ship with the program, wherever the module that asks is: in `src`, compiled in `dist`, or bundled in `dist/program`.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** `name` in the nearest folder above this one that has it, up to the package's own folder; null if none has. */
export function packagePath(name: string): string | null {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const path = join(folder, name);
    if (existsSync(path)) return path;
    if (existsSync(join(folder, 'package.json')) || folder === dirname(folder)) return null;
  }
}

/** As `packagePath`, of what every package has. */
export function requiredPackagePath(name: string): string {
  const path = packagePath(name);
  if (path === null) throw new Error(`The package is incomplete: ${name} is missing.`);
  return path;
}
