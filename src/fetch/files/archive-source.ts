// An archive as a local source: unpacked under caps into memory once, which the caps keep small.

import { createDecompressor } from '../../core/extract/archive/gunzip.ts';
import { readArchive } from '../../core/extract/archive/read-zip.ts';
import type { LocalLimits } from '../../core/files/file-limits.ts';
import { fileUrl, shownPath } from '../../core/files/file-url.ts';
import { readTar } from '../../core/extract/archive/read-tar.ts';
import { pinakesError } from '../../core/model/errors.ts';
import { sha256Hex } from '../../core/model/hash.ts';
import type { PageUrl } from '../../core/model/page-url.ts';
import type { ListedFile, LocalSource } from '../port.ts';

const MAX_RATIO = 100;
const MAX_ENTRIES = 50_000;

export const ARCHIVE_NAME = /\.(?:zip|tar|tar\.gz|tgz)$/i;

type Item =
  | { readonly kind: 'file'; readonly path: string; readonly body: Uint8Array }
  | { readonly kind: 'refused'; readonly name: string; readonly because: string };

export function openArchive(archive: Uint8Array, name: string, limits: LocalLimits): LocalSource {
  const bodies = new Map<PageUrl, Uint8Array>();
  const listed: ListedFile[] = [];
  for (const item of itemsOf(archive, name, limits)) {
    const url = fileUrl(shownPath(item.kind === 'file' ? item.path : item.name));
    if (item.kind === 'refused') {
      // Folders are only the way to their files.
      if (item.because !== 'folder') listed.push({ kind: 'refused', url, reason: item.because });
    } else if (bodies.has(url)) listed.push({ kind: 'refused', url: again(url), reason: 'duplicate-name' });
    else {
      bodies.set(url, item.body);
      listed.push({ kind: 'file', url });
    }
  }
  return {
    async *list(signal) {
      for (const item of listed) {
        signal.throwIfAborted();
        yield item;
      }
    },
    async read(url) {
      const body = bodies.get(url);
      // The caller takes the body over, and a page may be read again.
      return body === undefined
        ? { kind: 'gone', reason: 'not in the archive' }
        : { kind: 'read', body: body.slice(), hash: sha256Hex(body) };
    },
  };
}

function itemsOf(archive: Uint8Array, name: string, limits: LocalLimits): Iterable<Item> {
  const { maxFileBytes, maxBatchBytes: maxTotalBytes } = limits;
  const maxEntries = Math.min(MAX_ENTRIES, limits.maxFiles);
  if (/\.zip$/i.test(name)) {
    return readArchive(archive, name, { maxRatio: MAX_RATIO, maxFileBytes, maxTotalBytes, maxEntries });
  }
  return readTar(unzipped(archive, name, maxTotalBytes), name, { maxFileBytes, maxEntries });
}

/** A tar archive that is not compressed passes as it is. */
function unzipped(archive: Uint8Array, name: string, maxBytes: number): Uint8Array {
  const most = Math.min(maxBytes, Math.max(archive.byteLength * MAX_RATIO, 1024 * 1024));
  const pieces: Uint8Array[] = [];
  const decompressor = createDecompressor(most, (piece) => pieces.push(piece.slice()));
  decompressor.push(archive, true);
  if (decompressor.stopped() === 'too-large') throw pinakesError('archive.bomb', { name });
  if (decompressor.stopped() !== null) throw pinakesError('extract.malformed', { url: name, as: 'gzip archive' });
  return Buffer.concat(pieces);
}

/** The second file of a name needs a name of its own to be told of. */
function again(url: PageUrl): PageUrl {
  return `${url}%20(again)` as PageUrl;
}
