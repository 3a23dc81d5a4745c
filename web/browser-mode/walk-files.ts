// Selects the files of a picked folder and gives a reason for each excluded one: the same rules, in the same order, as on the
// command line, so that the same folder produces the same library.

import { DEFAULT_IGNORES } from '../../src/core/files/default-ignores.table.ts';
import {
  IGNORE_FILES,
  ignoreVerdict,
  MAX_IGNORE_BYTES,
  parseIgnoreFile,
  type IgnoreFile,
} from '../../src/core/files/ignore-file.ts';
import { FILE_SOURCE_LIMITS } from '../../src/core/files/file-limits.ts';
import { isHiddenName, MAX_FOLDER_DEPTH } from '../../src/core/files/path-verdict.ts';
import { decodeUtf8 } from '../../src/core/text/decode-utf8.ts';

export interface InputFile {
  /** Relative to the picked folder, with slashes. */
  readonly path: string;
  readonly file: Blob;
}

/** A folder of the directory picker. It can be sent to a worker, and takes no memory for its files. */
export interface FolderHandle {
  readonly kind: 'directory';
  readonly name: string;
  values(): AsyncIterable<FolderHandle | FileHandle>;
}

interface FileHandle {
  readonly kind: 'file';
  readonly name: string;
  getFile(): Promise<Blob>;
}

export async function filesOfFolder(folder: FolderHandle): Promise<readonly InputFile[]> {
  const files: InputFile[] = [];
  const open = [{ folder, base: '' }];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for await (const entry of next.folder.values()) {
      if (entry.kind === 'directory') open.push({ folder: entry, base: `${next.base}${entry.name}/` });
      else files.push({ path: next.base + entry.name, file: await entry.getFile() });
    }
  return files;
}

export interface WalkResult {
  readonly files: readonly InputFile[];
  readonly excluded: ReadonlyArray<{ readonly path: string; readonly reason: string }>;
}

interface Folder {
  readonly path: readonly string[];
  readonly files: Map<string, InputFile>;
  readonly folders: Map<string, Folder>;
}

export async function walkFiles(
  input: readonly InputFile[],
  maxSourceBytes = FILE_SOURCE_LIMITS.maxSourceBytes,
): Promise<WalkResult> {
  const root = buildTree(input);
  const files: InputFile[] = [];
  const excluded: Array<{ path: string; reason: string }> = [];
  const state: WalkState = { files, excluded, bytes: 0, maxSourceBytes };
  const defaults = parseIgnoreFile(DEFAULT_IGNORES.join('\n'), '');
  const gitExclude = root.folders.get('.git')?.folders.get('info')?.files.get('exclude');
  const rootRules = gitExclude === undefined ? [defaults] : [defaults, await loadIgnoreFile(gitExclude, '')];
  const open: Array<readonly [Folder, readonly IgnoreFile[]]> = [[root, rootRules]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [folder, rules] = next;
    if (folder.path.length >= MAX_FOLDER_DEPTH) {
      excluded.push({ path: folder.path.join('/'), reason: 'too-deep' });
      continue;
    }
    const folderRules = await withFolderRules(folder, rules);
    const subfolders = visitEntries(folder, folderRules, state);
    open.push(...subfolders.toReversed().map((subfolder) => [subfolder, folderRules] as const));
  }
  return { files, excluded };
}

interface WalkState {
  readonly files: InputFile[];
  readonly excluded: Array<{ path: string; reason: string }>;
  bytes: number;
  readonly maxSourceBytes: number;
}

/** Admits the files of one folder; returns the folders to visit next. */
function visitEntries(folder: Folder, rules: readonly IgnoreFile[], state: WalkState): Folder[] {
  const subfolders: Folder[] = [];
  for (const name of [...folder.files.keys(), ...folder.folders.keys()].sort()) {
    const path = [...folder.path, name].join('/');
    const subfolder = folder.folders.get(name);
    const reason = exclusionReason(path, name, subfolder !== undefined, rules);
    const found = folder.files.get(name);
    if (reason !== null) state.excluded.push({ path, reason });
    else if (subfolder !== undefined) subfolders.push(subfolder);
    else if (found !== undefined) admitFile(found, state);
  }
  return subfolders;
}

function admitFile(input: InputFile, state: WalkState): void {
  const { maxFileBytes, maxFiles } = FILE_SOURCE_LIMITS;
  const { maxSourceBytes } = state;
  const { size } = input.file;
  const reason =
    size > maxFileBytes
      ? `too-large: more than ${maxFileBytes} bytes`
      : state.files.length >= maxFiles
        ? `only the first ${maxFiles} files are read`
        : state.bytes + size > maxSourceBytes
          ? `batch-too-large: more than ${maxSourceBytes} bytes in all files`
          : null;
  if (reason !== null) {
    state.excluded.push({ path: input.path, reason });
    return;
  }
  state.bytes += size;
  state.files.push(input);
}

function exclusionReason(path: string, name: string, isFolder: boolean, rules: readonly IgnoreFile[]): string | null {
  if (isHiddenName(name)) return 'hidden';
  const verdict = ignoreVerdict(path, isFolder, rules);
  return verdict.ignored ? `ignored: ${verdict.pattern}` : null;
}

async function withFolderRules(folder: Folder, inherited: readonly IgnoreFile[]): Promise<readonly IgnoreFile[]> {
  const own: IgnoreFile[] = [];
  const base = folder.path.length === 0 ? '' : `${folder.path.join('/')}/`;
  for (const name of IGNORE_FILES) {
    const found = folder.files.get(name);
    if (found !== undefined && found.file.size <= MAX_IGNORE_BYTES) own.push(await loadIgnoreFile(found, base));
  }
  return [...inherited, ...own];
}

async function loadIgnoreFile({ file }: InputFile, base: string): Promise<IgnoreFile> {
  return parseIgnoreFile(decodeUtf8(new Uint8Array(await file.arrayBuffer())), base);
}

function buildTree(files: readonly InputFile[]): Folder {
  const root: Folder = { path: [], files: new Map(), folders: new Map() };
  for (const file of files) {
    const segments = file.path.split('/');
    let folder = root;
    for (const name of segments.slice(0, -1)) {
      const inner = folder.folders.get(name) ?? { path: [...folder.path, name], files: new Map(), folders: new Map() };
      folder.folders.set(name, inner);
      folder = inner;
    }
    folder.files.set(segments.at(-1) ?? '', file);
  }
  return root;
}
