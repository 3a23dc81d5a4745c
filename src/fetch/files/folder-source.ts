// A folder as a local source: walked without following a link, read file by file under the same rules.

import type { LocalLimits } from '../../core/files/file-limits.ts';
import { diskPath, fileUrl, pathOfFileUrl, shownPath } from '../../core/files/file-url.ts';
import { MAX_DEPTH, pathVerdict } from '../../core/files/path-verdict.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import { createIgnores, type Ignores } from './ignore-rules.ts';
import { listFolder, type FolderEntry } from '../file-entries.ts';
import { readFileInside, type FileRules } from './read-file-inside.ts';
import type { ListedFile, LocalOutcome, LocalSource } from '../port.ts';

export interface FolderRules extends FileRules {
  readonly limits: LocalLimits;
}

export function openFolder(rules: FolderRules): LocalSource {
  const ignores = createIgnores(rules);
  return {
    list: (signal) => walk(rules, ignores, signal),
    read: (url) => readPage(url, rules, ignores),
  };
}

interface Budget {
  files: number;
  bytes: number;
}

async function* walk(rules: FolderRules, ignores: Ignores, signal: AbortSignal): AsyncGenerator<ListedFile> {
  const budget: Budget = { files: 0, bytes: 0 };
  const open: Array<readonly string[]> = [[]];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    signal.throwIfAborted();
    if (folder.length >= MAX_DEPTH) {
      yield refusedEntry(folder, 'too-deep');
      continue;
    }
    for (const { file, message } of await ignores.warnings(folder)) {
      yield { kind: 'warning', about: 'ignore-file', target: shownPath(file), message };
    }
    const folders: Array<readonly string[]> = [];
    for await (const entry of listFolder(rules.root, folder, rules.limits.maxFiles)) {
      const item = await judge(folder, entry, { rules, ignores, budget });
      if (item === 'folder') folders.push([...folder, entry.name]);
      else yield item;
      if (item !== 'folder' && item.kind === 'warning') return;
    }
    open.push(...folders.toReversed());
  }
}

interface Walk {
  readonly rules: FolderRules;
  readonly ignores: Ignores;
  readonly budget: Budget;
}

async function judge(folder: readonly string[], entry: FolderEntry, walking: Walk): Promise<ListedFile | 'folder'> {
  const { budget, rules } = walking;
  const path = [...folder, entry.name];
  if (entry.kind === 'too-many') return tooMany(rules);
  if (entry.kind === 'bad-name') return refusedEntry(path, 'name-not-utf8');
  const refusal = await walking.ignores.refusal(folder, entry.name, entry.kind === 'folder');
  if (refusal !== null) return refusedEntry(path, refusal);
  if (entry.kind === 'folder') return 'folder';
  if (entry.kind !== 'file') return refusedEntry(path, entry.kind);
  if (entry.bytes > rules.maxFileBytes) return refusedEntry(path, `too-large: more than ${rules.maxFileBytes} bytes`);
  if (budget.files >= rules.limits.maxFiles) return tooMany(rules);
  if (budget.bytes + entry.bytes > rules.limits.maxBatchBytes) {
    return refusedEntry(path, `batch-too-large: more than ${rules.limits.maxBatchBytes} bytes in all files`);
  }
  budget.files += 1;
  budget.bytes += entry.bytes;
  return { kind: 'file', url: fileUrl(shownPath(path.join('/'))) };
}

function tooMany({ limits }: FolderRules): ListedFile {
  const message = `only the first ${limits.maxFiles} files are read`;
  return { kind: 'warning', about: 'too-many-files', target: '', message };
}

function refusedEntry(path: readonly string[], reason: string): ListedFile {
  return { kind: 'refused', url: fileUrl(shownPath(path.join('/'))), reason };
}

async function readPage(url: PageUrl, rules: FolderRules, ignores: Ignores): Promise<LocalOutcome> {
  const segments = segmentsOf(url);
  if (typeof segments === 'string') return { kind: 'refused', reason: segments };
  for (const [depth, name] of segments.entries()) {
    const refusal = await ignores.refusal(segments.slice(0, depth), name, depth < segments.length - 1);
    if (refusal !== null) return { kind: 'refused', reason: refusal };
  }
  return readFileInside(segments, rules);
}

/** The path below the root, or the rule that refuses it. */
function segmentsOf(url: PageUrl): readonly string[] | string {
  const shown = pathOfFileUrl(url);
  const path = shown === null ? null : diskPath(shown);
  if (path === null) return 'bad-url';
  const verdict = pathVerdict(path, process.platform === 'win32' ? 'portable' : 'any');
  return verdict.admit ? verdict.segments : verdict.because;
}
