// A folder as a local source: walked without following links, and read file by file under the same rules.

import type { Reason } from '../../core/outcome/reasons.table.ts';
import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileSourceLimits } from '../../core/files/file-limits.ts';
import { displayPath, fileUrl, pathOfFileUrl, pathOnDisk } from '../../core/files/file-url.ts';
import { MAX_FOLDER_DEPTH, pathVerdict } from '../../core/files/path-verdict.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import { requireErrorCode } from '../system-error-code.ts';
import { createIgnoreRules, type IgnoreRules } from './ignore-rules.ts';
import { type FileRules, readFileInside } from './read-file-inside.ts';
import type { ListedFile, LocalOutcome, LocalSource } from '../port.ts';
import { compareText } from '../../core/text/compare-text.ts';

interface FolderRules extends FileRules {
  readonly limits: FileSourceLimits;
}

export function openFolder(rules: FolderRules): LocalSource {
  const ignores = createIgnoreRules(rules);
  return {
    list: (signal) => walk(rules, ignores, signal),
    read: (url) => readPage(url, rules, ignores),
  };
}

interface Budget {
  files: number;
  bytes: number;
}

async function* walk(rules: FolderRules, ignores: IgnoreRules, signal: AbortSignal): AsyncGenerator<ListedFile> {
  const budget: Budget = { files: 0, bytes: 0 };
  const open: Array<readonly string[]> = [[]];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    signal.throwIfAborted();
    if (folder.length >= MAX_FOLDER_DEPTH) {
      yield excludedEntry(folder, 'too-deep');
      continue;
    }
    for (const { file, message } of await ignores.warnings(folder)) {
      yield { kind: 'warning', about: 'ignore-file', target: displayPath(file), message };
    }
    const folders: Array<readonly string[]> = [];
    for await (const entry of folderEntries(rules.root, folder, rules.limits.maxFiles)) {
      const item = await admitEntry(folder, entry, { rules, ignores, budget });
      if (item === 'folder') folders.push([...folder, entry.name]);
      else yield item;
      if (item !== 'folder' && item.kind === 'warning') return;
    }
    open.push(...folders.toReversed());
  }
}

interface Walk {
  readonly rules: FolderRules;
  readonly ignores: IgnoreRules;
  readonly budget: Budget;
}

async function admitEntry(folder: readonly string[], entry: FolderEntry, state: Walk): Promise<ListedFile | 'folder'> {
  const { budget, rules } = state;
  const path = [...folder, entry.name];
  if (entry.kind === 'too-many') return tooMany(rules);
  if (entry.kind === 'bad-name') return excludedEntry(path, 'name-not-utf8');
  const exclusion = await state.ignores.exclusion(folder, entry.name, entry.kind === 'folder');
  if (exclusion !== null) return excludedEntry(path, exclusion);
  if (entry.kind === 'folder') return 'folder';
  if (entry.kind !== 'file') return excludedEntry(path, entry.kind);
  if (entry.bytes > rules.maxFileBytes) return excludedEntry(path, `too-large: more than ${rules.maxFileBytes} bytes`);
  if (budget.files >= rules.limits.maxFiles) return tooMany(rules);
  if (budget.bytes + entry.bytes > rules.limits.maxSourceBytes) {
    return excludedEntry(path, `batch-too-large: more than ${rules.limits.maxSourceBytes} bytes in all files`);
  }
  budget.files += 1;
  budget.bytes += entry.bytes;
  return { kind: 'file', url: fileUrl(displayPath(path.join('/'))) };
}

function tooMany({ limits }: FolderRules): ListedFile {
  const message = `only the first ${limits.maxFiles} files are read`;
  return { kind: 'warning', about: 'too-many-files', target: '', message };
}

function excludedEntry(path: readonly string[], reason: Reason): ListedFile {
  return { kind: 'refused', url: fileUrl(displayPath(path.join('/'))), reason };
}

async function readPage(url: PageUrl, rules: FolderRules, ignores: IgnoreRules): Promise<LocalOutcome> {
  const segments = segmentsOf(url);
  if (typeof segments === 'string') return { kind: 'refused', reason: segments };
  for (const [depth, name] of segments.entries()) {
    const exclusion = await ignores.exclusion(segments.slice(0, depth), name, depth < segments.length - 1);
    if (exclusion !== null) return { kind: 'refused', reason: exclusion };
  }
  return readFileInside(segments, rules);
}

/** The path below the root, or the rule that excludes it. */
function segmentsOf(url: PageUrl): readonly string[] | Reason {
  const shown = pathOfFileUrl(url);
  const path = shown === null ? null : pathOnDisk(shown);
  if (path === null) return 'bad-url';
  const verdict = pathVerdict(path, process.platform === 'win32' ? 'portable' : 'any');
  return verdict.admit ? verdict.segments : verdict.reason;
}

interface FolderEntry {
  readonly kind: 'file' | 'folder' | 'link' | 'special-file' | 'bad-name' | 'too-many';
  readonly name: string;
  readonly bytes: number;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The entries of one folder, sorted by name. The folder is read as a stream, up to the allowed number of entries. One
 * that has disappeared or cannot be read has no entries.
 */
export async function* folderEntries(
  root: string,
  folder: readonly string[],
  maxEntries: number,
): AsyncGenerator<FolderEntry> {
  const path = join(root, ...folder);
  const { entries, isTruncated } = await readNames(path, maxEntries);
  for (const { kind, name } of entries) {
    const found = kind === 'stat' ? await statEntry(join(path, name)) : { kind, bytes: 0 };
    if (found !== null) yield { ...found, name };
  }
  if (isTruncated) yield { kind: 'too-many', name: '', bytes: 0 };
}

interface NamedEntry {
  /** `stat` where the directory entry is not enough: a file has a size. */
  readonly kind: 'folder' | 'link' | 'bad-name' | 'stat';
  readonly name: string;
}

async function readNames(
  path: string,
  maxEntries: number,
): Promise<{ entries: readonly NamedEntry[]; isTruncated: boolean }> {
  const entries: NamedEntry[] = [];
  let isTruncated = false;
  try {
    // The types declare names as strings only, but bytes are needed to detect a name that is not valid UTF-8.
    const options = { encoding: 'buffer', bufferSize: 256 } as unknown as { encoding: 'utf8'; bufferSize: number };
    for await (const dirent of await opendir(path, options)) {
      if (entries.length === maxEntries) {
        isTruncated = true;
        break;
      }
      entries.push(namedEntry(dirent as unknown as Dirent<Buffer>));
    }
  } catch (error) {
    requireErrorCode(error);
  }
  entries.sort((left, right) => compareText(left.name, right.name));
  return { entries, isTruncated };
}

function namedEntry(dirent: Dirent<Buffer>): NamedEntry {
  let name: string;
  try {
    name = utf8.decode(dirent.name);
  } catch {
    const shown = Array.from(dirent.name, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : '\ufffd'));
    return { kind: 'bad-name', name: shown.join('') };
  }
  if (dirent.isSymbolicLink()) return { kind: 'link', name };
  if (dirent.isDirectory()) return { kind: 'folder', name };
  return { kind: 'stat', name };
}

/** Size, and kind where the directory entry does not say. */
async function statEntry(path: string): Promise<Omit<FolderEntry, 'name'> | null> {
  try {
    const stat = await lstat(path);
    if (stat.isFile()) return { kind: 'file', bytes: stat.size };
    if (stat.isSymbolicLink()) return { kind: 'link', bytes: 0 };
    return { kind: stat.isDirectory() ? 'folder' : 'special-file', bytes: 0 };
  } catch (error) {
    requireErrorCode(error);
    return null;
  }
}
