// Which files of a chosen folder are read, and why the others are not: the same rules, in the same order, as on the command
// line, so that the same folder gives the same library.

import { DEFAULT_IGNORES } from '../../src/core/files/default-ignores.table.ts';
import { ignoreVerdict, MAX_IGNORE_BYTES, readIgnoreFile, type IgnoreFile } from '../../src/core/files/ignore-file.ts';
import { LOCAL_LIMITS } from '../../src/core/files/file-limits.ts';
import { isHidden, MAX_DEPTH } from '../../src/core/files/path-verdict.ts';
import { decodeUtf8 } from '../../src/core/model/decode-utf8.ts';

export interface GivenFile {
  /** Below the chosen folder, with slashes. */
  readonly path: string;
  readonly file: Blob;
}

export interface Walked {
  readonly files: readonly GivenFile[];
  readonly refused: ReadonlyArray<{ readonly path: string; readonly reason: string }>;
}

interface Folder {
  readonly path: readonly string[];
  readonly files: Map<string, GivenFile>;
  readonly folders: Map<string, Folder>;
}

const IGNORE_NAMES: readonly string[] = ['.gitignore', '.pinakesignore'];

export async function walkFiles(given: readonly GivenFile[]): Promise<Walked> {
  const root = treeOf(given);
  const files: GivenFile[] = [];
  const refused: Array<{ path: string; reason: string }> = [];
  const walking: Walking = { files, refused, bytes: 0 };
  const defaults = readIgnoreFile(DEFAULT_IGNORES.join('\n'), '');
  const exclude = root.folders.get('.git')?.folders.get('info')?.files.get('exclude');
  const above = exclude === undefined ? [defaults] : [defaults, await ignoreFile(exclude, '')];
  const open: Array<readonly [Folder, readonly IgnoreFile[]]> = [[root, above]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [folder, rules] = next;
    if (folder.path.length >= MAX_DEPTH) {
      refused.push({ path: folder.path.join('/'), reason: 'too-deep' });
      continue;
    }
    const own = await withOwnRules(folder, rules);
    const below = takeEntries(folder, own, walking);
    open.push(...below.toReversed().map((inner) => [inner, own] as const));
  }
  return { files, refused };
}

interface Walking {
  readonly files: GivenFile[];
  readonly refused: Array<{ path: string; reason: string }>;
  bytes: number;
}

/** Takes the files of one folder; returns the folders that are walked next. */
function takeEntries(folder: Folder, rules: readonly IgnoreFile[], walking: Walking): Folder[] {
  const below: Folder[] = [];
  for (const name of [...folder.files.keys(), ...folder.folders.keys()].sort()) {
    const path = [...folder.path, name].join('/');
    const inner = folder.folders.get(name);
    const reason = refusalOf(path, name, inner !== undefined, rules);
    const found = folder.files.get(name);
    if (reason !== null) walking.refused.push({ path, reason });
    else if (inner !== undefined) below.push(inner);
    else if (found !== undefined) takeFile(found, walking);
  }
  return below;
}

function takeFile(given: GivenFile, walking: Walking): void {
  const { maxFileBytes, maxBatchBytes, maxFiles } = LOCAL_LIMITS;
  const { size } = given.file;
  const reason =
    size > maxFileBytes
      ? `too-large: more than ${maxFileBytes} bytes`
      : walking.files.length >= maxFiles
        ? `only the first ${maxFiles} files are read`
        : walking.bytes + size > maxBatchBytes
          ? `batch-too-large: more than ${maxBatchBytes} bytes in all files`
          : null;
  if (reason !== null) {
    walking.refused.push({ path: given.path, reason });
    return;
  }
  walking.bytes += size;
  walking.files.push(given);
}

function refusalOf(path: string, name: string, isFolder: boolean, rules: readonly IgnoreFile[]): string | null {
  if (isHidden(name)) return 'hidden';
  const verdict = ignoreVerdict(path, isFolder, rules);
  return verdict.ignored ? `ignored: ${verdict.pattern}` : null;
}

async function withOwnRules(folder: Folder, above: readonly IgnoreFile[]): Promise<readonly IgnoreFile[]> {
  const own: IgnoreFile[] = [];
  const base = folder.path.length === 0 ? '' : `${folder.path.join('/')}/`;
  for (const name of IGNORE_NAMES) {
    const found = folder.files.get(name);
    if (found !== undefined && found.file.size <= MAX_IGNORE_BYTES) own.push(await ignoreFile(found, base));
  }
  return [...above, ...own];
}

async function ignoreFile({ file }: GivenFile, base: string): Promise<IgnoreFile> {
  return readIgnoreFile(decodeUtf8(new Uint8Array(await file.arrayBuffer())), base);
}

function treeOf(given: readonly GivenFile[]): Folder {
  const root: Folder = { path: [], files: new Map(), folders: new Map() };
  for (const one of given) {
    const segments = one.path.split('/');
    let folder = root;
    for (const name of segments.slice(0, -1)) {
      const inner = folder.folders.get(name) ?? { path: [...folder.path, name], files: new Map(), folders: new Map() };
      folder.folders.set(name, inner);
      folder = inner;
    }
    folder.files.set(segments.at(-1) ?? '', one);
  }
  return root;
}
