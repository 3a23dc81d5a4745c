// The background owner works with the settings of the command that starts it, wherever they come from.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../../support/attacked-program.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

test('a config file and a relative PINAKES_CONFIG reach the owner, which stays (finding N8)', async () => {
  const root = temporaryDirectory();
  const cwd = join(root, 'project');
  const dataDir = join(root, 'data');
  mkdirSync(cwd);
  for (const name of ['pinakes.config.json', 'own.json'])
    writeFileSync(join(cwd, name), JSON.stringify({ fetch: { maxRedirects: 7 } }));
  const env = { HOME: root, PINAKES_DATA_DIR: dataDir };
  const owner = (): number => (JSON.parse(readFileSync(join(dataDir, 'owner.json'), 'utf8')) as { pid: number }).pid;

  const first = await runProgram({ cwd, env }, ['tokens', 'create', 'first']);
  expect(first, first.stderr).toMatchObject({ code: 0 });
  const pid = owner();
  onTestFinished(() => {
    process.kill(pid, 'SIGKILL');
    rmSync(root, { recursive: true, force: true });
  });
  const named = await runProgram({ cwd, env: { ...env, PINAKES_CONFIG: 'own.json' } }, ['tokens', 'create', 'second']);
  expect(named, named.stderr).toMatchObject({ code: 0 });
  const third = await runProgram({ cwd, env: { HOME: root, PINAKES_DATA_DIR: '../data' } }, [
    'tokens',
    'create',
    'third',
  ]);
  expect(third, third.stderr).toMatchObject({ code: 0 });
  expect(owner()).toBe(pid);
});
