// Core bundles into one script that a page can run.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bundle } from '../../support/bundle.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

test('the bundle imports nothing', async () => {
  const { code, imports } = await bundle('web/core-entry.ts');
  expect(imports).toEqual([]);
  expect(code.match(/["'`]node:[a-z/_]+["'`]/g)).toBeNull();
});

test('an import of a Node module would be detected', async () => {
  const folder = temporaryDirectory();
  try {
    const file = join(folder, 'planted.ts');
    writeFileSync(
      file,
      "import { readFileSync } from 'node:fs';\nexport const later = () => import('node:path');\nexport { readFileSync };\n",
    );
    expect((await bundle(file)).imports).toEqual(['node:fs', 'node:path']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the bundle of all of core stays small', async () => {
  const { code } = await bundle('web/core-entry.ts', { minify: true });
  // Writers and readers of bundles, and readers of every text format, are part of it; readers of
  // packages are 20 kB.
  expect(gzipSync(code).length).toBeLessThan(426_000);
});
