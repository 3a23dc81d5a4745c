// A bundle as a local source: its pages come with their chunks, under the URLs that they had.

import { readArchive } from '../core/extract/archive/read-zip.ts';
import { zipDirectory } from '../core/extract/archive/zip-directory.ts';
import { readBundle, type BundleReader } from '../core/export/bundle/read-bundle.ts';
import type { LocalLimits } from '../core/files/file-limits.ts';
import { fileUrl, isFileUrl, pathOfFileUrl } from '../core/files/file-url.ts';
import { PinakesError } from '../core/model/errors.ts';
import { parsePageUrl, type PageUrl } from '../core/model/page-url.ts';
import type { LocalSource } from './port.ts';

const MAX_ENTRIES = 65_535;
/** A bundle holds its texts, an index over them and several lists. */
const TIMES_ITS_TEXT = 10;
const WANTED =
  /^(?:chunks\/[^/]+[.]md|images\/[^/]+|manifest[.]json|manifest[.]llm[.]tsv|vectors[.]json|vectors\/\d+\/\d+[.]bin)$/;

export function isBundle(archive: Uint8Array, name: string): boolean {
  try {
    return zipDirectory(archive, name, MAX_ENTRIES).some((entry) => entry.name === 'manifest.llm.tsv');
  } catch (error) {
    if (error instanceof PinakesError) return false;
    throw error;
  }
}

export function readBundleFile(archive: Uint8Array, name: string, limits: LocalLimits): BundleReader {
  const files = new Map<string, Uint8Array>();
  const maxTotalBytes = limits.maxBatchBytes * TIMES_ITS_TEXT;
  const caps = { maxRatio: 1000, maxFileBytes: maxTotalBytes, maxTotalBytes, maxEntries: MAX_ENTRIES };
  for (const item of readArchive(archive, name, caps)) {
    if (item.kind === 'file' && WANTED.test(item.path) && !files.has(item.path)) files.set(item.path, item.body);
  }
  return readBundle(name, files);
}

export function openBundle(bundle: BundleReader): LocalSource {
  return {
    async *list(signal) {
      for (const { path } of bundle.pages) {
        signal.throwIfAborted();
        yield { kind: 'file', url: urlOf(path) };
      }
    },
    async read(url) {
      const path = isFileUrl(url) ? pathOfFileUrl(url) : url;
      try {
        const page = path === null ? null : bundle.read(path);
        return page === null ? { kind: 'gone', reason: 'not in the bundle' } : { kind: 'page', page };
      } catch (error) {
        if (error instanceof PinakesError) return { kind: 'failed', reason: `${error.code}: ${error.message}` };
        throw error;
      }
    },
    vectors: () => bundle.vectors,
  };
}

function urlOf(path: string): PageUrl {
  return /^https?:/.test(path) ? (parsePageUrl(path) ?? fileUrl(path)) : fileUrl(path);
}
