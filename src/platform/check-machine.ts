// What this machine has of what the program needs, as findings that a person can act upon.

import { accessSync, constants, existsSync, mkdirSync, statfsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

export interface Finding {
  readonly part: string;
  /** `absent` parts are optional. */
  readonly state: 'well' | 'absent' | 'wrong';
  readonly says: string;
  /** What to do; null where nothing is to be done. */
  readonly next: string | null;
}

const LEAST_NODE = [22, 19] as const;

export function examineNode(version: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNew = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  const next = isNew ? null : `Install Node ${LEAST_NODE.join('.')} or newer`;
  return { part: 'Node', state: isNew ? 'well' : 'wrong', says: version, next };
}

export function examineDirectory(directory: string): Finding {
  const part = 'data directory';
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return { part, state: 'well', says: resolve(directory), next: null };
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? 'it cannot be used';
    const next = 'Give yourself the right to write there, or choose another folder with PINAKES_DATA_DIR';
    return { part, state: 'wrong', says: `${directory} cannot be written (${why})`, next };
  }
}

export function examineRoom(directory: string, minFreeBytes: number): Finding {
  const part = 'room';
  const place = existsSync(directory) ? directory : dirname(resolve(directory));
  try {
    const { bavail, bsize } = statfsSync(place);
    const free = bavail * bsize;
    const says = `${mib(free)} MiB free, ${mib(minFreeBytes)} MiB are kept free`;
    if (free >= minFreeBytes) return { part, state: 'well', says, next: null };
    return { part, state: 'wrong', says, next: 'Free space on that volume, or lower PINAKES_MIN_FREE_BYTES' };
  } catch {
    return { part, state: 'absent', says: 'it cannot be told', next: null };
  }
}

/** Optional ones: a part of the product does without them. */
export function examinePackages(part: string, packages: readonly string[]): Finding {
  const { resolve: find } = createRequire(import.meta.url);
  const missing = packages.filter(
    (name) => !(find.paths(name) ?? []).some((folder) => existsSync(join(folder, name, 'package.json'))),
  );
  if (missing.length === 0) return { part, state: 'well', says: 'installed', next: null };
  const next = `npm install ${missing.join(' ')}`;
  return { part, state: 'absent', says: `${missing.join(', ')} not installed`, next };
}

function mib(bytes: number): number {
  return Math.floor(bytes / 1_048_576);
}
