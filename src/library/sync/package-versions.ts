// Which packages the library has, at which version, and whether the current readers would read them the same way, from the same files.

import { computeIndexId } from '../../core/export/bundle/bundle.ts';
import { chunkPath } from '../../core/chunk/chunk-names.ts';
import { decodeBody } from '../../core/extract/decode/charset.ts';
import { sha256Hex } from '../../core/model/hash.ts';
import type { VersionId } from '../../core/model/run.ts';
import { contentFiles, publishedManifest } from '../../core/packages/package-content.ts';
import { packageSourceName, type LockedPackage } from '../../core/project/locked-package.ts';
import { hasRead, readPackageRun, type PackageRun, type WantedRead } from '../../core/project/package-run.ts';
import type { LocalFiles, PackageFiles } from '../../fetch/port.ts';
import type { Store } from '../../store/port.ts';
import type { Run } from '../../store/port/runs.ts';
import type { Source, Version } from '../../store/port/sources.ts';

/** The settings of a source that a sync has added. */
export const PACKAGE_SOURCE = { package: true } as const;

export function isPackageSource({ settings }: Source): boolean {
  return settings['package'] === true;
}

export interface PackageVersion {
  readonly source: Source;
  readonly version: Version;
  /** Runs of this version that read a package, the newest first. */
  readonly runs: ReadonlyArray<Run & { readonly read: PackageRun }>;
}

const MAX_RUNS = 50;

/** Null if the library does not have that version. */
export async function findVersion(
  store: Store,
  locked: Pick<LockedPackage, 'ecosystem' | 'name' | 'version'>,
): Promise<PackageVersion | null> {
  const source = await store.sources.byName(packageSourceName(locked));
  const version = source?.versions.find(({ label }) => label === locked.version);
  if (source === null || version === undefined) return null;
  const runs = (await store.runs.list(MAX_RUNS, source.id)).flatMap((run) => {
    const read = run.version === version.id ? readPackageRun(run.settings) : null;
    return read === null ? [] : [{ ...run, read }];
  });
  return { source, version, runs };
}

/** Whether its pages are those that a sync would make now. Older runs do not count: a later one may have read other files. */
export function isCurrent({ runs: [latest] }: PackageVersion, wanted: WantedRead): boolean {
  return latest !== undefined && latest.state === 'completed' && hasRead(latest.read, wanted);
}

/** The content of a package whose pages are those of a catalogue's bundle. */
export function catalogContent(index: string): string {
  return `catalog ${index}`;
}

export interface StoredPages {
  readonly index: string;
  readonly pages: number;
}

const PAGES_PER_READ = 1000;

/** The same as that of an exported bundle: a hash of the paths and contents of all pages. */
export async function indexIdOf(store: Store, version: VersionId): Promise<StoredPages> {
  const files: Array<{ readonly path: string; readonly hash: string }> = [];
  let after: string | null = null;
  do {
    const list: Awaited<ReturnType<Store['pages']['list']>> = await store.pages.list(version, after, PAGES_PER_READ);
    for (const { url, metadata, contentHash } of list.pages)
      files.push({
        path: chunkPath(url),
        hash: typeof metadata['fileHash'] === 'string' ? metadata['fileHash'] : contentHash,
      });
    after = list.after;
  } while (after !== null);
  return { index: computeIndexId(files), pages: files.length };
}

/** Files after these are compared by their sizes. A package this large was not altered to look like another one. */
const MAX_BYTES = 256 * 1024 * 1024;

/** The content of an installed package: a hash of the files that decide what it documents. */
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
