// The stored archive of a version: its identity, and its files while a run reads them.

import { z } from 'zod';
import { parseArchiveReference, type ArchiveReference } from '../../core/archives/archive-reference.ts';
import { pageUrl } from '../../core/model/page-url.ts';
import type { VersionId } from '../../core/model/run.ts';
import { decompressBody } from '../../platform/compress-body.ts';
import type { Store } from '../../store/port.ts';
import type { Source } from '../../store/port/sources.ts';

const StoredArchive = z.object({
  /** The reference with the exact version. */
  reference: z.string(),
  /** The id of the commit, or the hash of the package archive. Empty before the first run. */
  id: z.string().default(''),
  /** The run that prepared it, and the last run that read its files. */
  run: z.int().default(0),
  readBy: z.int().default(0),
  reader: z.int().default(0),
  version: z.string().default(''),
  /** What the registry states about this release. */
  license: z.string().nullable().default(null),
  refused: z.array(z.object({ name: z.string(), reason: z.string() })).default([]),
});

export type StoredArchive = z.output<typeof StoredArchive>;

/** The key in the site profile of a version. */
const ARCHIVE = 'archive';

export async function storedArchive(
  { sources }: Pick<Store, 'sources'>,
  version: VersionId,
): Promise<StoredArchive | null> {
  const stored = StoredArchive.safeParse((await sources.siteProfile(version))[ARCHIVE]);
  return stored.success ? stored.data : null;
}

export async function saveArchive(
  { sources }: Pick<Store, 'sources'>,
  version: VersionId,
  archive: z.input<typeof StoredArchive>,
): Promise<void> {
  const stored = { ...StoredArchive.parse(archive) };
  await sources.changeSiteProfile(version, (profile) => ({ ...profile, [ARCHIVE]: stored }));
}

/** The reference of a version; null if its pages are not from a fetched archive. */
export function referenceOf(source: Source, stored: StoredArchive | null): ArchiveReference | null {
  if (stored !== null) return parseArchiveReference(stored.reference);
  return source.kind === 'fetched-archive' ? parseArchiveReference(source.startUrl) : null;
}

const FILE = 'archive';
/** The files were not fetched from one address: they are part of an archive. */
const NO_URL = pageUrl('file:///archive');

export async function loadFiles({ sources }: Pick<Store, 'sources'>, version: VersionId): Promise<Uint8Array | null> {
  const file = await sources.file(version, FILE);
  return file === null || file.body.bytes.length === 0 ? null : decompressBody(file.body);
}

export async function saveFiles(
  { sources }: Pick<Store, 'sources'>,
  version: VersionId,
  bytes: Uint8Array,
): Promise<void> {
  await sources.saveFile(version, FILE, { url: NO_URL, body: { encoding: 'identity', bytes } });
}

/** The pages of a finished run have their own copies. */
export async function discardFiles(store: Pick<Store, 'sources'>, version: VersionId): Promise<void> {
  if ((await store.sources.file(version, FILE)) !== null) await saveFiles(store, version, new Uint8Array());
}
