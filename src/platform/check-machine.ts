// Checks of this machine for `pinakes doctor`: each says what was found and what to do about it.

import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { makePrivateFolder, systemReason } from './data-directory.ts';
import { MIN_NODE, unsupportedNode } from './supported-node.ts';

export interface CheckResult {
  readonly name: string;
  /** `missing` parts are optional. */
  readonly state: 'ok' | 'missing' | 'failed';
  readonly detail: string;
  /** What to do; null if nothing has to be done. */
  readonly hint: string | null;
}

export function checkNode(version: string = process.versions.node): CheckResult {
  const isSupported = unsupportedNode(version) === null;
  const hint = isSupported ? null : `Install Node ${MIN_NODE.join('.')} or newer`;
  return { name: 'Node', state: isSupported ? 'ok' : 'failed', detail: version, hint };
}

export function checkDirectory(directory: string): CheckResult {
  const name = 'data directory';
  try {
    makePrivateFolder(directory);
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    const open = openToOthers(directory);
    const hint = open === null ? null : `${open}. If the library is yours alone: chmod 700 ${resolve(directory)}`;
    return { name, state: 'ok', detail: resolve(directory), hint };
  } catch (error) {
    const hint = 'Choose another directory with PINAKES_DATA_DIR, or correct this one';
    return { name, state: 'failed', detail: `${directory} cannot be used: ${systemReason(error)}`, hint };
  }
}

/** Who else may enter a folder, as a sentence; null if no other user may. A folder that Pinakes did not make keeps its rights. */
export function openToOthers(directory: string): string | null {
  const { mode } = statSync(directory);
  if (process.platform === 'win32' || (mode & 0o077) === 0) return null;
  const who = (mode & 0o007) === 0 ? 'Its group' : 'Every user of this machine';
  return `${who} may ${(mode & 0o022) === 0 ? 'read' : 'change'} the data directory (mode ${(mode & 0o7777).toString(8)})`;
}

/** What to do if a site that is crawled cannot tell whom to ask; null if the header has a contact. */
export function contactHint(userAgent: string): string | null {
  if (/https?:\/\/|@/.test(userAgent)) return null;
  return `Sites cannot tell who crawls them. Add a contact: PINAKES_FETCH_USER_AGENT="${userAgent} (+https://www.example.com/contact)"`;
}

export function checkContact(userAgent: string): CheckResult {
  const hint = contactHint(userAgent);
  return { name: 'User-Agent', state: hint === null ? 'ok' : 'missing', detail: userAgent, hint };
}

export function checkDiskSpace(directory: string, minFreeBytes: number): CheckResult {
  const name = 'disk space';
  const free = freeBytes(existsSync(directory) ? directory : dirname(resolve(directory)));
  if (free === null) return { name, state: 'missing', detail: 'free space is unknown', hint: null };
  const detail = `${mib(free)} MiB free, ${mib(minFreeBytes)} MiB required`;
  if (free >= minFreeBytes) return { name, state: 'ok', detail, hint: null };
  return { name, state: 'failed', detail, hint: 'Free some disk space, or lower PINAKES_MIN_FREE_BYTES' };
}

/** Free space for this user on the volume of a folder; null if it is unknown. */
export function freeBytes(directory: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return null;
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
