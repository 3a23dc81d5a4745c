// The content of an installed package: a hash of the files that decide what it documents.

import { computeIndexId } from '../../core/export/bundle/bundle.ts';
import { decodeBody } from '../../core/extract/decode/charset.ts';
import { sha256Hex } from '../../core/model/hash.ts';
import { contentFiles, publishedManifest } from '../../core/packages/package-content.ts';
import type { PackageRun } from '../../core/project/package-run.ts';
import type { LocalFiles, PackageFiles } from '../../fetch/port.ts';

/** Files after these are compared by their sizes. A package that is so large was not altered to look like another one. */
const MAX_BYTES = 256 * 1024 * 1024;

export async function packageContent(
  installed: Pick<PackageRun, 'ecosystem' | 'folder' | 'record' | 'includeSources'>,
  files: Pick<LocalFiles, 'openPackage'>,
): Promise<string> {
  const contents = await files.openPackage(installed);
  const hashed: Array<{ readonly path: string; readonly hash: string }> = [];
  let bytes = 0;
  for (const { path, size } of contentFiles(installed.ecosystem, contents.files, installed.includeSources)) {
    bytes += size;
    // A name with a line break must not look like two files.
    hashed.push({
      path: JSON.stringify(path),
      hash: bytes > MAX_BYTES ? `size ${size}` : await hashOf(contents, path),
    });
  }
  return computeIndexId(hashed);
}

async function hashOf(contents: PackageFiles, path: string): Promise<string> {
  const outcome = await contents.read(path);
  if (outcome.kind !== 'read') return outcome.kind;
  if (path !== 'package.json') return outcome.hash;
  return sha256Hex(new TextEncoder().encode(publishedManifest(decodeBody(outcome.body, null))));
}
