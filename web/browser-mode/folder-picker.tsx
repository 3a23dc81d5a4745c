// Picks a folder or single files: by drag and drop, with the directory picker where the browser has one, or with a file input.

import { useRef, useState, type DragEvent, type ReactNode } from 'react';
import { yieldToPage } from './open-browser-library.ts';
import type { FolderHandle, InputFile } from './walk-files.ts';

export interface PickedFolder {
  readonly name: string;
  readonly files: readonly InputFile[];
  /** In place of files: the worker with the library lists them, since the list of a large folder would hold up the page. */
  readonly folder?: FolderHandle;
}

export function FolderPicker({ onPick }: { readonly onPick: (folder: PickedFolder) => void }): ReactNode {
  const [isOver, setIsOver] = useState(false);
  const [isEmpty, setIsEmpty] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const pick = async (): Promise<void> => {
    const picker = directoryPicker();
    if (picker === null) input.current?.click();
    else await picker().then(onPick, () => undefined);
  };
  const drop = async (event: DragEvent): Promise<void> => {
    event.preventDefault();
    setIsOver(false);
    const folder = await folderFromDrop(event.dataTransfer.items);
    setIsEmpty(folder === null);
    if (folder !== null) onPick(folder);
  };
  return (
    <section
      className="drop-zone"
      aria-label="Choose a folder"
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => void drop(event)}
    >
      <h2>Drop a folder or files of documentation here</h2>
      <p>
        Markdown, HTML, notebooks, OpenAPI or source code, a zip archive or a bundle. Everything is extracted, chunked
        and indexed in this page. The bundle you can download is byte-identical to the one from the command line.
      </p>
      <button className="button primary" type="button" onClick={() => void pick()}>
        Choose a folder
      </button>{' '}
      <FilesButton onPick={onPick} />
      <p role="status">{isEmpty ? 'There was neither a folder nor a file in what you dropped.' : ''}</p>
      <input
        ref={(element) => {
          element?.setAttribute('webkitdirectory', '');
          input.current = element;
        }}
        className="visually-hidden"
        type="file"
        aria-label="Folder"
        tabIndex={-1}
        onChange={({ target: { files } }) => {
          if (files !== null && files.length > 0) void filesFromInput(files).then(onPick);
        }}
      />
    </section>
  );
}

/** For single files: some browsers have no way to choose a folder. */
function FilesButton({ onPick }: { readonly onPick: (folder: PickedFolder) => void }): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button className="button" type="button" onClick={() => input.current?.click()}>
        Choose files
      </button>
      <input
        ref={input}
        className="visually-hidden"
        type="file"
        multiple
        aria-label="Files"
        tabIndex={-1}
        onChange={({ target: { files } }) => {
          if (files !== null && files.length > 0) onPick(singleFiles([...files]));
        }}
      />
    </>
  );
}

type Picker = () => Promise<FolderHandle>;

/** Null where the browser has no directory picker; the file input is used instead. */
function directoryPicker(): (() => Promise<PickedFolder>) | null {
  const pick = (globalThis as { showDirectoryPicker?: Picker }).showDirectoryPicker;
  if (pick === undefined) return null;
  return async () => {
    const folder = await pick.call(globalThis);
    return { name: folder.name, files: [], folder };
  };
}

/** How long the files of a list are read before the page may do something else. */
const SLICE_MS = 20;

/**
 * For `<input type="file" webkitdirectory>`, where each path begins with the name of the folder. The browser has just spent a long task
 * on the list, so it is read in later ones.
 */
export async function filesFromInput(list: FileList): Promise<PickedFolder> {
  const files: InputFile[] = [];
  let end = 0;
  for (const file of list) {
    if (performance.now() >= end) {
      await yieldToPage();
      end = performance.now() + SLICE_MS;
    }
    files.push({ path: file.webkitRelativePath.split('/').slice(1).join('/'), file });
  }
  return { name: list[0]?.webkitRelativePath.split('/', 1)[0] ?? 'folder', files };
}

/** What was chosen gives the library its name, under which it is kept: of several, the first one and how many more. */
function libraryName(chosen: readonly string[]): string {
  const [first = '', ...others] = chosen;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

function withoutExtension(name: string): string {
  return name.replace(/(?<=.)\.\w{1,8}$/, '');
}

/** Files that were chosen one by one have no folder. */
function singleFiles(list: readonly File[]): PickedFolder {
  const name = libraryName(list.map((file) => withoutExtension(file.name)));
  return { name, files: list.map((file) => ({ path: file.name, file })) };
}

/** All dropped folders and files, each folder under its name unless it is alone; null if there are none. */
export async function folderFromDrop(items: DataTransferItemList): Promise<PickedFolder | null> {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const files: InputFile[] = [];
  for (const entry of entries) {
    if (entry.isFile) files.push({ path: entry.name, file: await fileOf(entry as FileSystemFileEntry) });
    else await collectEntries(entry as FileSystemDirectoryEntry, entries.length === 1 ? '' : `${entry.name}/`, files);
  }
  const names = entries.map((entry) => (entry.isFile ? withoutExtension(entry.name) : entry.name));
  return entries.length === 0 ? null : { name: libraryName(names), files };
}

async function collectEntries(folder: FileSystemDirectoryEntry, base: string, files: InputFile[]): Promise<void> {
  const reader = folder.createReader();
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return;
    for (const entry of entries) {
      if (entry.isDirectory) await collectEntries(entry as FileSystemDirectoryEntry, `${base}${entry.name}/`, files);
      else {
        files.push({ path: base + entry.name, file: await fileOf(entry as FileSystemFileEntry) });
      }
    }
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
