// The files of an npm package, without its dependencies and without running any of its scripts. Cached next to the toolchain: a
// version never changes.

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const CACHE_FOLDER = join(import.meta.dirname, '../../.toolchain/packages');

/** `name` with its exact version, such as `docsify@5.0.0`. Returns the folder of its files. */
export async function fetchPackage(name: string): Promise<string> {
  const location = join(CACHE_FOLDER, name.replaceAll('/', '+'));
  if (existsSync(location)) return location;
  mkdirSync(CACHE_FOLDER, { recursive: true });
  const beside = mkdtempSync(join(CACHE_FOLDER, 'fetching-'));
  const run = promisify(execFile);
  const { stdout } = await run('npm', ['pack', name, '--ignore-scripts', '--silent'], { cwd: beside });
  await run('tar', ['xzf', stdout.trim()], { cwd: beside });
  // Renamed into place, so that two test files that fetch it simultaneously never see an incomplete copy.
  if (!existsSync(location)) renameSync(join(beside, 'package'), location);
  rmSync(beside, { recursive: true });
  return location;
}
