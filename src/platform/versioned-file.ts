// A small file that several processes replace. Each content has the next number, and of two processes that replace the same one the second
// is told, without a lock that a killed process could leave behind.

import { randomUUID } from 'node:crypto';
import { link, open, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { PinakesError } from '../core/model/errors.ts';
import { readText } from './user-files.ts';

export interface VersionedText {
  /** 0 before the first one. */
  readonly version: number;
  /** Null before the first one. */
  readonly text: string | null;
}

/** Old contents are kept, so that a number is not used again by a process that read it long ago. */
const STORED_VERSIONS = 10;
const MAX_ATTEMPTS = 100;

/** Raises `files.unreadable`. */
export async function readVersioned(folder: string, name: string): Promise<VersionedText> {
  for (let attempt = 1; ; attempt += 1) {
    const version = Math.max(0, ...(await versionsOf(folder, name)));
    if (version === 0) return { version, text: null };
    try {
      return { version, text: await readText(pathOf(folder, name, version)) };
    } catch (error) {
      // Deleted since, because there are newer ones.
      const isGone = error instanceof PinakesError && hasCode(error.cause, 'ENOENT');
      if (!isGone || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** False, and nothing is changed, if `version` is no longer the newest one. The folder exists. */
export async function replaceVersioned(
  folder: string,
  name: string,
  { version, text }: { readonly version: number; readonly text: string },
): Promise<boolean> {
  const temporary = join(folder, `${name}.${randomUUID()}.part`);
  const own = version + 1;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
    await link(temporary, pathOf(folder, name, own));
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await file.close();
    await unlink(temporary);
  }
  const versions = await versionsOf(folder, name);
  const isNewest = versions.every((other) => other <= own);
  const outdated = isNewest ? versions.filter((other) => other <= own - STORED_VERSIONS) : [own];
  for (const other of outdated) await unlink(pathOf(folder, name, other)).catch(() => undefined);
  return isNewest;
}

function pathOf(folder: string, name: string, version: number): string {
  return join(folder, `${name}.${version}.json`);
}

async function versionsOf(folder: string, name: string): Promise<readonly number[]> {
  const files = await readdir(folder).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  });
  return files.flatMap((file) => {
    const [, version] = file.startsWith(`${name}.`)
      ? (/^[.]([1-9]\d{0,14})[.]json$/.exec(file.slice(name.length)) ?? [])
      : [];
    return version === undefined ? [] : [Number(version)];
  });
}

function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === code;
}
