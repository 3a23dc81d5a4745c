// Checks of this machine for `pinakes doctor`: each says what was found and what to do about it.

import { accessSync, constants, existsSync, mkdirSync, statfsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { systemReason } from './data-directory.ts';

export interface CheckResult {
  readonly name: string;
  /** `missing` parts are optional. */
  readonly state: 'ok' | 'missing' | 'failed';
  readonly detail: string;
  /** What to do; null if nothing has to be done. */
  readonly hint: string | null;
}

const MIN_NODE = [22, 19] as const;

export function checkNode(version: string = process.versions.node): CheckResult {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNew = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  const hint = isNew ? null : `Install Node ${MIN_NODE.join('.')} or newer`;
  return { name: 'Node', state: isNew ? 'ok' : 'failed', detail: version, hint };
}

export function checkDirectory(directory: string): CheckResult {
  const name = 'data directory';
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return { name, state: 'ok', detail: resolve(directory), hint: null };
  } catch (error) {
    const hint = 'Choose another directory with PINAKES_DATA_DIR, or correct this one';
    return { name, state: 'failed', detail: `${directory} cannot be used: ${systemReason(error)}`, hint };
  }
}

export function checkDiskSpace(directory: string, minFreeBytes: number): CheckResult {
  const name = 'disk space';
  const existing = existsSync(directory) ? directory : dirname(resolve(directory));
  try {
    const { bavail, bsize } = statfsSync(existing);
    const free = bavail * bsize;
    const detail = `${mib(free)} MiB free, ${mib(minFreeBytes)} MiB required`;
    if (free >= minFreeBytes) return { name, state: 'ok', detail, hint: null };
    return { name, state: 'failed', detail, hint: 'Free some disk space, or lower PINAKES_MIN_FREE_BYTES' };
  } catch {
    return { name, state: 'missing', detail: 'free space is unknown', hint: null };
  }
}

/** Optional packages, which only some features need. */
export function checkPackages(label: string, packages: readonly string[]): CheckResult {
  const { resolve: find } = createRequire(import.meta.url);
  const missing = packages.filter(
    (name) => !(find.paths(name) ?? []).some((folder) => existsSync(join(folder, name, 'package.json'))),
  );
  if (missing.length === 0) return { name: label, state: 'ok', detail: 'installed', hint: null };
  const hint = `npm install ${missing.join(' ')}`;
  return { name: label, state: 'missing', detail: `${missing.join(', ')} not installed`, hint };
}

function mib(bytes: number): number {
  return Math.floor(bytes / 1_048_576);
}
