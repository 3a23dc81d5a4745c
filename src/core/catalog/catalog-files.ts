// The content of the signed files of a catalogue: the root, which says whose signatures count, the catalogue with its entries, and the
// timestamp, which names the current catalogue and expires soon.

import { z } from 'zod';
import { parseArchiveReference } from '../archives/archive-reference.ts';
import { SourceName, VersionName } from '../model/source-name.ts';
import { SourceSettings } from '../model/source-settings.ts';
import { KeyId, keyIdOf, PublicKey } from './signed-file.ts';

export const TIMESTAMP_FILE = 'timestamp.json';

export function rootFile(version: number): string {
  return `${version}.root.json`;
}

/** Each version has its own file, so a catalogue that is being replaced or copied is whole for its readers: the timestamp names one that is there. */
export function catalogFile(version: number): string {
  return `${version}.catalog.json`;
}

export function bundleFile(sha256: string): string {
  return `bundles/${sha256}.zip`;
}

/** What the publisher has built and not yet published. Readers never ask for it. */
export const UNPUBLISHED_FOLDER = 'unpublished';

export function unpublishedFile(key: string): string {
  return `${UNPUBLISHED_FOLDER}/${key}.json`;
}

/** A file of a catalogue is read up to its limit. That of the catalogue itself is in the timestamp, below this one. */
export const MAX_ROOT_BYTES = 256 * 1024;
export const MAX_TIMESTAMP_BYTES = 64 * 1024;
export const MAX_CATALOG_BYTES = 64 * 1024 * 1024;
export const MAX_BUNDLE_BYTES = 256 * 1024 * 1024;

const MAX_VERSION = Number.MAX_SAFE_INTEGER;
const Version = z.int().min(1).max(MAX_VERSION);
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const Head = { version: Version, expires: z.iso.datetime() };

const Role = z.strictObject({ keyIds: z.array(KeyId).min(1).max(50), threshold: z.int().min(1).max(50) });

export const SIGNING_ROLES = ['root', 'catalog', 'timestamp'] as const;
export type SigningRoleName = (typeof SIGNING_ROLES)[number];

export const RootFile = z
  .strictObject({
    type: z.literal('root'),
    ...Head,
    /** Public keys by their ids. */
    keys: z.record(KeyId, PublicKey),
    roles: z.strictObject({ root: Role, catalog: Role, timestamp: Role }),
  })
  // Otherwise one key with two ids would count twice.
  .refine(
    ({ keys }) => Object.entries(keys).every(([id, key]) => keyIdOf(key) === id),
    'a key has the id of another one',
  )
  .refine(
    ({ roles }) => SIGNING_ROLES.every((name) => new Set(roles[name].keyIds).size >= roles[name].threshold),
    'a role has fewer keys than its threshold',
  );

export type RootFile = z.output<typeof RootFile>;

export const TimestampFile = z.strictObject({
  type: z.literal('timestamp'),
  ...Head,
  catalog: z.strictObject({ version: Version, bytes: z.int().min(1).max(MAX_CATALOG_BYTES), sha256: Sha256 }),
});

export type TimestampFile = z.output<typeof TimestampFile>;

/** A publisher neither reads the environment of a user nor decides for them about the terms of a site. */
export const EntrySettings = SourceSettings.omit({ headers: true, ignoreTerms: true }).partial();

export const CatalogEntry = z.strictObject({
  name: SourceName,
  version: VersionName,
  // Never a folder of the user's machine.
  startUrl: z
    .string()
    .max(2000)
    .refine(
      (start) => /^https?:\/\//.test(start) || parseArchiveReference(start) !== null,
      'it must be a URL, a package or a repository',
    ),
  settings: EntrySettings.default({}),
  license: z.string().max(200).nullable(),
  /** What the site states about the use of its pages. */
  terms: z.array(z.string().max(2000)).max(100),
  isTested: z.boolean(),
  /** Null for an entry without a bundle: it is crawled by its definition. */
  bundle: z
    .strictObject({
      sha256: Sha256,
      bytes: z.int().min(1).max(MAX_BUNDLE_BYTES),
      indexId: Sha256,
      /** The hash of the package archive, or the id of the commit, that it was built from. */
      input: z.string().min(1).max(200),
      /** The program that built it: another one may cut the same pages in other places. */
      program: z.string().min(1).max(100),
      /** The fingerprint of the model of its vectors; null if it has none. */
      vectors: z.string().max(500).nullable(),
    })
    .nullable(),
});

export type CatalogEntry = z.output<typeof CatalogEntry>;
export type CatalogBundle = NonNullable<CatalogEntry['bundle']>;

export const CatalogFile = z.strictObject({
  type: z.literal('catalog'),
  ...Head,
  entries: z.array(CatalogEntry).max(100_000),
});

export type CatalogFile = z.output<typeof CatalogFile>;
