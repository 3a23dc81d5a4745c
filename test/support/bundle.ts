// Bundles a file for a page, as a web bundler would: one script with no imports left.

import { resolve } from 'node:path';
import { rolldown } from 'rolldown';

export interface Bundle {
  readonly code: string;
  /** What the bundle would still import when it runs, statically or dynamically. */
  readonly imports: readonly string[];
}

export async function bundle(entry: string, { minify = false } = {}): Promise<Bundle> {
  const build = await rolldown({
    input: resolve(import.meta.dirname, '../..', entry),
    platform: 'browser',
    // Unresolved imports are not logged: they are in `imports`.
    logLevel: 'silent',
  });
  try {
    const { output } = await build.generate({ format: 'esm', codeSplitting: false, minify });
    const [chunk] = output;
    // A dynamic import of a bundled module names the bundle itself.
    const imports = [...chunk.imports, ...chunk.dynamicImports].filter((name) => name !== chunk.fileName);
    return { code: chunk.code, imports };
  } finally {
    await build.close();
  }
}
