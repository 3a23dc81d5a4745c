// Where tests put what they need for a while. A process of tests may be ended before it could clean up, so all of it is in one folder
// that is removed after the last test.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const VARIABLE = 'PINAKES_TEST_FOLDER';

/** Called by Vitest before the first test. */
export function setup(): void {
  const folder = mkdtempSync(join(tmpdir(), 'pinakes-tests-'));
  // Some tests start programs as another user.
  chmodSync(folder, 0o755);
  process.env[VARIABLE] = folder;
  // Hundreds of processes and threads load the same modules: what the first one compiles, the others read.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
}

/** Called by Vitest after the last test. */
export function teardown(): void {
  const folder = process.env[VARIABLE];
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}

/** The name of this run of tests; null for a process that is not part of one. */
export function nameOfRun(): string | null {
  const folder = process.env[VARIABLE];
  return folder === undefined ? null : basename(folder);
}

export function temporaryDirectory(): string {
  return mkdtempSync(join(process.env[VARIABLE] ?? tmpdir(), 'test-'));
}
