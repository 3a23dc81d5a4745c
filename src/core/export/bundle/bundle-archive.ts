// The archive of a bundle: how it is told from other archives, and read within limits.

import { MAX_ZIP_ENTRIES } from '../zip/zip-writer.ts';
import { readZip } from '../../extract/archive/read-zip.ts';
import { readZipDirectory } from '../../extract/archive/zip-directory.ts';
import type { FileSourceLimits } from '../../files/file-limits.ts';
import { PinakesError } from '../../model/errors.ts';
import { readBundle, type BundleReader } from './read-bundle.ts';

/** A bundle holds its texts, an index over them and several lists. */
const BUNDLE_SIZE_FACTOR = 10;

/** Not index.json, which is as large as everything else together. */
const BUNDLE_FILES =
  /^(?:chunks\/[^/]+[.]md|images\/.+|manifest[.]json|manifest[.]llm[.]tsv|pinakes[.]json|vectors[.]json|vectors\/\d+\/\d+[.]bin)$/;

/** `damaged` is a zip archive without a readable directory, for instance one that was not downloaded completely. */
export function archiveKind(archive: Uint8Array, name: string): 'bundle' | 'other' | 'damaged' {
  try {
    const entries = readZipDirectory(archive, name, MAX_ZIP_ENTRIES);
    return entries.some((entry) => entry.name === 'manifest.llm.tsv') ? 'bundle' : 'other';
  } catch (error) {
    if (!(error instanceof PinakesError)) throw error;
    const [first, second] = archive;
    return first === 0x50 && second === 0x4b ? 'damaged' : 'other';
  }
}

/** What says which bundle it is: enough for its name, its version, its index id and its models, and not for its texts. */
const BUNDLE_MANIFESTS = /^(?:manifest[.]llm[.]tsv|pinakes[.]json|vectors[.]json)$/;

/** Reads its manifests alone, and no page. */
export function readBundleManifests(archive: Uint8Array, name: string, limits: FileSourceLimits): BundleHead {
  return readFiles(archive, name, limits, BUNDLE_MANIFESTS);
}

export type BundleHead = Pick<BundleReader, 'stated' | 'indexId'> & {
  readonly vectors: ReadonlyArray<Pick<BundleReader['vectors'][number], 'fingerprint'>>;
};

export function readBundleFile(archive: Uint8Array, name: string, limits: FileSourceLimits): BundleReader {
  return readFiles(archive, name, limits, BUNDLE_FILES);
}

function readFiles(archive: Uint8Array, name: string, limits: FileSourceLimits, wanted: RegExp): BundleReader {
  const files = new Map<string, Uint8Array>();
  const maxTotalBytes = limits.maxSourceBytes * BUNDLE_SIZE_FACTOR;
  const caps = { maxRatio: 1000, maxFileBytes: maxTotalBytes, maxTotalBytes, maxEntries: MAX_ZIP_ENTRIES };
  for (const item of readZip(archive, name, caps, (path) => wanted.test(path))) {
    if (item.kind === 'file' && !files.has(item.path)) files.set(item.path, item.body);
  }
  return readBundle(name, files);
}
