// The files of a folder that somebody picked or dropped, with their paths below it.

import type { GivenFile } from '../browser-mode/walk-files.ts';

export interface Chosen {
  readonly name: string;
  readonly files: readonly GivenFile[];
}

interface DirectoryHandle {
  readonly kind: 'directory';
  readonly name: string;
  values(): AsyncIterable<DirectoryHandle | FileHandle>;
}
interface FileHandle {
  readonly kind: 'file';
  readonly name: string;
  getFile(): Promise<File>;
}

type Picker = () => Promise<DirectoryHandle>;

/** Null where the browser has no such picker; then a file field does it. */
export function folderPicker(): (() => Promise<Chosen>) | null {
  const pick = (globalThis as { showDirectoryPicker?: Picker }).showDirectoryPicker;
  if (pick === undefined) return null;
  return async () => {
    const handle = await pick.call(globalThis);
    const files: GivenFile[] = [];
    await gather(handle, '', files);
    return { name: handle.name, files };
  };
}

async function gather(folder: DirectoryHandle, base: string, files: GivenFile[]): Promise<void> {
  for await (const entry of folder.values()) {
    if (entry.kind === 'directory') await gather(entry, `${base}${entry.name}/`, files);
    else files.push({ path: base + entry.name, file: await entry.getFile() });
  }
}

/** Of `<input type="file" webkitdirectory>`, where each path begins with the folder's own name. */
export function chosenFiles(list: FileList): Chosen {
  const files = [...list].map((file) => ({ path: file.webkitRelativePath.split('/').slice(1).join('/'), file }));
  return { name: list[0]?.webkitRelativePath.split('/', 1)[0] ?? 'folder', files };
}

/** The first folder among what was dropped. */
export async function droppedFolder(items: DataTransferItemList): Promise<Chosen | null> {
  const entries = [...items].map((item) => item.webkitGetAsEntry());
  const folder = entries.find((entry) => entry?.isDirectory === true);
  if (folder == null) return null;
  const files: GivenFile[] = [];
  await gatherEntry(folder as FileSystemDirectoryEntry, '', files);
  return { name: folder.name, files };
}

async function gatherEntry(folder: FileSystemDirectoryEntry, base: string, files: GivenFile[]): Promise<void> {
  const reader = folder.createReader();
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return;
    for (const entry of entries) {
      if (entry.isDirectory) await gatherEntry(entry as FileSystemDirectoryEntry, `${base}${entry.name}/`, files);
      else {
        const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
        files.push({ path: base + entry.name, file });
      }
    }
  }
}
