// Unpacks the files of an archive that a source reads, and packs them again, so that any worker can open them. Other files are skipped
// while unpacking.

import { packageFileFilter } from '../../core/archives/archive-files.ts';
import type { GitReference } from '../../core/archives/git-reference.ts';
import type { PackageReference } from '../../core/archives/package-reference.ts';
import { createZipWriter } from '../../core/export/zip/zip-writer.ts';
import { concatBytes } from '../../core/export/zip/zip-records.ts';
import { readZip } from '../../core/extract/archive/read-zip.ts';
import { createTarReader, type TarItem } from '../../core/extract/archive/tar-reader.ts';
import { ratioLimit, unpackInSteps } from '../../core/extract/archive/unpack-tar.ts';
import { pinakesError } from '../../core/model/errors.ts';
import { sleepOrAbort } from '../../platform/clock.ts';
import { megabytes } from './archive-fetch.ts';

/** Repositories with a million files have archives above every limit. */
const MAX_ENTRIES = 200_000;
const MAX_RATIO = 100;
const MAX_UNPACKED_BYTES = 2 * 1024 * 1024 * 1024;
const MAX_FILE_BYTES = 10 * 1024 * 1024;
/** Total size of the files that a source reads. */
const MAX_FILES_BYTES = 64 * 1024 * 1024;
const MAX_REFUSED = 100;

export interface ArchiveFile {
  readonly path: string;
  readonly body: Uint8Array;
}

export interface UnpackedArchive {
  readonly files: readonly ArchiveFile[];
  readonly refused: ReadonlyArray<{ readonly name: string; readonly reason: string }>;
  /** The comment of a repository's archive, which names its commit. */
  readonly comment: string | null;
}

export interface ArchiveContent {
  /** For errors. */
  readonly name: string;
  readonly body: Uint8Array;
  readonly isZip: boolean;
  readonly reference: GitReference | PackageReference;
}

/** Raises `archive.bomb`, `archive.too-large` or `extract.malformed`. */
export async function unpackArchive(content: ArchiveContent, signal: AbortSignal): Promise<UnpackedArchive> {
  const files: ArchiveFile[] = [];
  const refused: Array<{ readonly name: string; readonly reason: string }> = [];
  const { name, body, isZip } = content;
  const isWanted = packageFileFilter(content.reference);
  let filesBytes = 0;
  const add = (item: UnpackedItem, path: string | null): void => {
    if (item.kind === 'refused') {
      if (refused.length < MAX_REFUSED && item.reason !== 'folder')
        refused.push({ name: item.name, reason: item.reason });
      return;
    }
    filesBytes += item.body.length;
    if (filesBytes > MAX_FILES_BYTES)
      throw pinakesError('archive.too-large', {
        name,
        reason: `its files have more than ${megabytes(MAX_FILES_BYTES)} MB`,
      });
    if (path !== null) files.push({ path, body: item.body });
  };
  if (isZip) {
    const limits = {
      maxRatio: MAX_RATIO,
      maxFileBytes: MAX_FILE_BYTES,
      maxTotalBytes: MAX_FILES_BYTES,
      maxEntries: MAX_ENTRIES,
    };
    for (const item of readZip(body, name, limits, isWanted)) {
      add(item, item.kind === 'file' ? item.path : null);
      await letOthersRun(item.kind === 'file' ? item.body.length : 0, signal);
    }
    return { files, refused, comment: null };
  }
  const reader = createTarReader({
    name,
    maxFileBytes: MAX_FILE_BYTES,
    maxEntries: MAX_ENTRIES,
    isWanted: (path) => isWanted(withoutRoot(path)),
    onItem: (item) => add(item, item.kind === 'file' ? withoutRoot(item.path) : null),
  });
  const maxBytes = Math.min(MAX_UNPACKED_BYTES, ratioLimit(body, MAX_RATIO));
  for (const _ of unpackInSteps(body, reader, { name, maxBytes })) await letOthersRun(Infinity, signal);
  return { files, refused, comment: reader.comment() };
}

type UnpackedItem = TarItem | { readonly kind: 'refused'; readonly name: string; readonly reason: string };

const LARGE_BYTES = 1_048_576;

async function letOthersRun(bytes: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (bytes > LARGE_BYTES) await sleepOrAbort(0, signal);
}

/** Everything is in one folder, named for the repository and its commit, or `package`. */
function withoutRoot(path: string): string {
  return path.slice(path.indexOf('/') + 1);
}

export function packFiles(files: readonly ArchiveFile[]): Uint8Array {
  const writer = createZipWriter();
  const parts = files.flatMap(({ path, body }) => writer.entry(path, body));
  return concatBytes([...parts, writer.end()]);
}

/** The inverse of `packFiles`. */
export function unpackFiles(packed: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const limits = {
    maxRatio: Infinity,
    maxFileBytes: MAX_FILE_BYTES,
    maxTotalBytes: MAX_FILES_BYTES,
    maxEntries: MAX_ENTRIES,
  };
  const files = new Map<string, Uint8Array>();
  for (const item of readZip(packed, 'stored', limits)) if (item.kind === 'file') files.set(item.path, item.body);
  return files;
}
