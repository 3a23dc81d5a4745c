// A folder of files for tests, and what a source of local files lists in it.

import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createLocalFiles, type LocalFilesOptions } from '../../src/fetch/files/local-files.ts';
import type { ListedFile, LocalFiles, LocalSource } from '../../src/fetch/port.ts';
import { FILE_SOURCE_LIMITS } from '../../src/core/files/file-limits.ts';
import { temporaryDirectory } from './temporary-folder.ts';

export function createLocalFolder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = realpathSync(temporaryDirectory());
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

export function localFiles(options: Partial<LocalFilesOptions> = {}): LocalFiles {
  return createLocalFiles({ ...FILE_SOURCE_LIMITS, roots: [], refuseHardLinks: false, ...options });
}

export async function listAll(source: LocalSource): Promise<readonly ListedFile[]> {
  const items: ListedFile[] = [];
  for await (const item of source.list(AbortSignal.timeout(20_000))) items.push(item);
  return items;
}

/** One line per item, such as `file a.md` or `refused .env hidden`. */
export async function listing(root: string, options: Partial<LocalFilesOptions> = {}): Promise<readonly string[]> {
  const items = await listAll(await localFiles(options).open(root));
  return items.map((item) => {
    const path = item.kind === 'warning' ? item.about : decodeURIComponent(item.url.slice('file:///'.length));
    return [item.kind, path, item.kind === 'refused' ? item.reason : ''].join(' ').trim();
  });
}
