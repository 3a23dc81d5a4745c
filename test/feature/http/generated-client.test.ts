// A client generated from the OpenAPI document compiles in strict mode and works against a live server.

import { execFile } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { addFiles, startTestServer } from '../../support/test-server.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { generateClient } from './generate-client.ts';
import type { Json } from './openapi-faults.ts';

const run = promisify(execFile);
const TSC = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url));
const USER = fileURLToPath(new URL('./client-user.ts.txt', import.meta.url));

test(
  '[H1] a client generated from the document compiles, and runs against a live server',
  { timeout: 120_000 },
  async () => {
    const server = await startTestServer({}, (library) =>
      addFiles(library, 'guide', { 'pool.md': '# Pool\n\nThe pool keeps connections open for thirty seconds.\n' }),
    );
    try {
      const document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as Json;
      const folder = temporaryDirectory();
      writeFileSync(join(folder, 'client.ts'), generateClient(document));
      copyFileSync(USER, join(folder, 'user.ts'));
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files: ['user.ts'] }));
      await run(TSC, ['-p', folder]);
      const { stdout: said } = await run(process.execPath, [join(folder, 'user.ts'), server.url]);
      expect(JSON.parse(said)).toEqual({
        sources: ['guide'],
        url: expect.stringContaining('pool.md') as string,
        text: expect.stringContaining('thirty seconds') as string,
        run: 'completed',
        refused: 'source.unknown',
      });
    } finally {
      await server.stop();
    }
  },
);

const OPTIONS = {
  strict: true,
  noEmit: true,
  target: 'esnext',
  module: 'nodenext',
  lib: ['esnext', 'dom'],
  types: [],
  allowImportingTsExtensions: true,
  exactOptionalPropertyTypes: true,
};
