// The entries of one folder, in the order of their names. The folder is read as a stream, and no more of it than allowed.

import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCodeOf } from './file-error.ts';

export interface FolderEntry {
  readonly kind: 'file' | 'folder' | 'link' | 'special-file' | 'bad-name' | 'too-many';
  readonly name: string;
  readonly bytes: number;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A folder that is gone or closed by now has no entries. */
export async function* listFolder(
  root: string,
  folder: readonly string[],
  maxEntries: number,
): AsyncGenerator<FolderEntry> {
  const path = join(root, ...folder);
  const { entries, isCut } = await namesOf(path, maxEntries);
  for (const { kind, name } of entries) {
    const found = kind === 'look' ? await lookAt(join(path, name)) : { kind, bytes: 0 };
    if (found !== null) yield { ...found, name };
  }
  if (isCut) yield { kind: 'too-many', name: '', bytes: 0 };
}

interface Named {
  /** `look` where the folder does not tell all: a file has a size. */
  readonly kind: 'folder' | 'link' | 'bad-name' | 'look';
  readonly name: string;
}

async function namesOf(path: string, maxEntries: number): Promise<{ entries: readonly Named[]; isCut: boolean }> {
  const entries: Named[] = [];
  let isCut = false;
  try {
    // The types know names as text only, but bytes are needed to see a name that is none.
    const options = { encoding: 'buffer', bufferSize: 256 } as unknown as { encoding: 'utf8'; bufferSize: number };
    for await (const dirent of await opendir(path, options)) {
      if (entries.length === maxEntries) {
        isCut = true;
        break;
      }
      entries.push(namedOf(dirent as unknown as Dirent<Buffer>));
    }
  } catch (error) {
    errorCodeOf(error);
  }
  entries.sort((left, right) => (left.name < right.name ? -1 : Number(left.name > right.name)));
  return { entries, isCut };
}

function namedOf(dirent: Dirent<Buffer>): Named {
  let name: string;
  try {
    name = utf8.decode(dirent.name);
  } catch {
    const shown = Array.from(dirent.name, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : '\ufffd'));
    return { kind: 'bad-name', name: shown.join('') };
  }
  if (dirent.isSymbolicLink()) return { kind: 'link', name };
  if (dirent.isDirectory()) return { kind: 'folder', name };
  return { kind: 'look', name };
}

/** Size, and kind where the folder does not tell. */
async function lookAt(path: string): Promise<Omit<FolderEntry, 'name'> | null> {
  try {
    const stat = await lstat(path);
    if (stat.isFile()) return { kind: 'file', bytes: stat.size };
    if (stat.isSymbolicLink()) return { kind: 'link', bytes: 0 };
    return { kind: stat.isDirectory() ? 'folder' : 'special-file', bytes: 0 };
  } catch (error) {
    errorCodeOf(error);
    return null;
  }
}
