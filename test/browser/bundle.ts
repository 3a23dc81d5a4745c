// Bundles a file for a page, as a builder of web pages would: one script, nothing left to import.

import { resolve } from 'node:path';
import { rolldown } from 'rolldown';

export interface Bundle {
  readonly code: string;
  /** What the bundle would still import when it runs, now or later. */
  readonly imports: readonly string[];
}

export async function bundle(entry: string, { minify = false } = {}): Promise<Bundle> {
  const build = await rolldown({
    input: resolve(import.meta.dirname, '../..', entry),
    platform: 'browser',
    // What cannot be resolved is not logged: it is in `imports`.
    logLevel: 'silent',
  });
  try {
    const { output } = await build.generate({ format: 'esm', codeSplitting: false, minify });
    const [chunk] = output;
    // A dynamic import of what is inside the bundle names the bundle itself.
    const imports = [...chunk.imports, ...chunk.dynamicImports].filter((name) => name !== chunk.fileName);
    return { code: chunk.code, imports };
  } finally {
    await build.close();
  }
}
