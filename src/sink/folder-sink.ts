// A folder with a Markdown file for each page, below a folder for each source and version. The position is in a hidden file at its root.

import { mkdir, open, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pageMarkdown } from '../core/export/llms/llms-text.ts';
import { pathKey, possiblePagePaths, safePathName } from '../core/export/pages/page-path.ts';
import { pinakesError } from '../core/model/errors.ts';
import type { PageUrl } from '../core/model/page-url.ts';
import { systemReason } from '../platform/data-directory.ts';
import { createSinkLock } from './sink-lock.ts';
import type { PageKey, Sink, SinkContent } from './sink.ts';

const POSITION_FILE = '.pinakes-sink.json';
const LOCK_FILE = '.pinakes-sink.lock';
/** The process that holds the lock writes, and one file at a time. */
const UNFINISHED = '.pinakes-sink.part';
const BATCH_BYTES = 4 * 1024 * 1024;

/**
 * @example
 * await runSink(library, createFolderSink({ folder: 'docs' }));
 */
export function createFolderSink({ folder: provided }: { readonly folder: string }): Sink {
  const folder = resolve(provided);
  /** The folder of each version of a source. */
  const folders = new Map<number, string>();
  const lock = createSinkLock(join(folder, LOCK_FILE), folder);

  async function scan(): Promise<void> {
    for (const { name, page } of await pagesIn(folder)) folders.set(page.versionId, name.split('/')[0] ?? '');
  }

  /** The folder of a source that was renamed is renamed too. */
  async function folderFor({ versionId }: PageKey, source: string, version: string): Promise<string> {
    const wanted = safePathName(version === '' ? source : `${source}@${version}`);
    const unique = `${wanted}-${versionId}`;
    const current = folders.get(versionId);
    if (current === wanted || current === unique) return current;
    const isTaken = [...folders.values()].some((name) => pathKey(name) === pathKey(wanted));
    const chosen = isTaken ? unique : wanted;
    if (current !== undefined) await rename(join(folder, current), join(folder, chosen));
    folders.set(versionId, chosen);
    return chosen;
  }

  return {
    wantsVectors: false,
    batchBytes: BATCH_BYTES,
    async open() {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
        if (error.code === 'ENOENT') return [];
        throw pinakesError('sink.failed', { target: folder, reason: systemReason(error) }, error);
      });
      if (names.some((name) => name !== UNFINISHED && name !== LOCK_FILE) && !names.includes(POSITION_FILE))
        throw pinakesError('sink.failed', { target: folder, reason: 'it is not empty, and no sink has written it' });
      lock.hold();
      if (!names.includes(POSITION_FILE)) return null;
      await scan();
      return readPosition(join(folder, POSITION_FILE));
    },
    async write(pages) {
      await mkdir(folder, { recursive: true });
      // First: a folder with pages but without this file was not created by a sink.
      if (!(await readdir(folder)).includes(POSITION_FILE)) await replaceFile(folder, POSITION_FILE, '{}\n');
      for (const { content, ...page } of pages) {
        const { library_source: source = '', library_version: version = '' } = content?.page ?? {};
        if (content !== null) await writePage(folder, await folderFor(page, source, version), page, content);
        else if (folders.has(page.versionId)) await removePage(join(folder, folders.get(page.versionId) ?? ''), page);
      }
    },
    async save(position) {
      await mkdir(folder, { recursive: true });
      await replaceFile(folder, POSITION_FILE, `${JSON.stringify({ position })}\n`);
    },
    async *stored() {
      for (const { page } of await pagesIn(folder)) yield page;
    },
    notes: () => [],
    release: () => lock.release(),
    close: async () => lock.release(),
  };
}

async function readPosition(path: string): Promise<string | null> {
  try {
    const { position } = JSON.parse(await readFile(path, 'utf8')) as { readonly position?: string };
    return position ?? null;
  } catch {
    return null; // everything is listed again
  }
}

async function replaceFile(folder: string, name: string, text: string): Promise<void> {
  const unfinished = join(folder, UNFINISHED);
  await writeFile(unfinished, text);
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await rename(unfinished, join(folder, name));
}

function namesOf({ url }: PageKey): readonly string[] {
  const origin = url.startsWith('file:') ? 'file://' : (URL.parse(url)?.origin ?? '');
  return possiblePagePaths(url as PageUrl, origin);
}

async function writePage(folder: string, below: string, key: PageKey, { page }: SinkContent): Promise<void> {
  const { library_source: source, library_version: version, title, content_hash: contentHash, text } = page;
  const names = namesOf(key).map((name) => `${below}/${name}`);
  const owners = await Promise.all(names.map((name) => ownerOf(join(folder, name))));
  const own = names.find((_, nth) => isSame(owners[nth], key)) ?? names.find((_, nth) => owners[nth] === null);
  const about = { source, version, url: key.url, title, contentHash, versionId: key.versionId };
  const changedAt = page.modification_date === '' ? null : new Date(page.modification_date);
  await replaceFile(folder, own ?? names.at(-1) ?? '', pageMarkdown({ ...about, changedAt }, text));
}

async function removePage(folder: string, key: PageKey): Promise<void> {
  for (const name of namesOf(key)) {
    const path = join(folder, name);
    if (isSame(await ownerOf(path), key)) await unlink(path);
  }
}

function isSame(owner: PageKey | null | undefined, { versionId, url }: PageKey): boolean {
  return owner?.versionId === versionId && owner.url === url;
}

/** Front matter is shorter: titles are cut, and URLs are not longer than servers take. */
const HEAD_BYTES = 32 * 1024;

/** The page in a file, by its front matter; null if there is no file. */
async function ownerOf(path: string): Promise<PageKey | null> {
  const handle = await open(path, 'r').catch(() => null);
  if (handle === null) return null;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.toString('utf8', 0, bytesRead);
    const url = /^url: (".*")$/m.exec(head)?.[1] ?? '""';
    const versionId = Number(/^library_version_id: (\d+)$/m.exec(head)?.[1] ?? -1);
    return { url: JSON.parse(url) as string, versionId };
  } finally {
    await handle.close();
  }
}

/** By the names of their files, relative to the folder. */
async function pagesIn(folder: string): Promise<ReadonlyArray<{ readonly name: string; readonly page: PageKey }>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const found: Array<{ name: string; page: PageKey }> = [];
  for (const entry of entries) {
    if (!entry.isFile() || !entry.name.endsWith('.md')) continue;
    const path = join(entry.parentPath, entry.name);
    const page = await ownerOf(path);
    if (page !== null && page.versionId !== -1) found.push({ name: relative(folder, path).replaceAll(sep, '/'), page });
  }
  return found;
}
