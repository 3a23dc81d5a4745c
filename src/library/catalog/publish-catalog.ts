// Writes the signed files of a catalogue: roots with the keys that count, and the catalogue with its timestamp.

import {
  catalogFile,
  CatalogFile,
  MAX_CATALOG_BYTES,
  MAX_ROOT_BYTES,
  MAX_TIMESTAMP_BYTES,
  RootFile,
  rootFile,
  TIMESTAMP_FILE,
  TimestampFile,
  type CatalogEntry,
} from '../../core/catalog/catalog-files.ts';
import { acceptCatalog, acceptTimestamp, firstTrust, nextTrust, rootPin } from '../../core/catalog/catalog-trust.ts';
import { parseSigned, signedText, type SigningRole } from '../../core/catalog/signed-file.ts';
import { pinakesError } from '../../core/model/errors.ts';
import { sha256Hex } from '../../core/model/hash.ts';
import { compareText } from '../../core/text/compare-text.ts';
import type { CatalogFiles } from './open-catalog.ts';
import { signWith, verifySignature as verify, type SigningKey } from './signing-keys.ts';

export interface PublishDeps {
  /** The folder of the catalogue. */
  readonly files: Pick<CatalogFiles, 'read'>;
  readonly write: (file: string, bytes: Uint8Array) => Promise<void>;
  readonly remove: (file: string) => Promise<void>;
  readonly now: () => number;
}

const DAY_MS = 86_400_000;

function expiry({ now }: PublishDeps, days: number): string {
  return new Date(now() + days * DAY_MS).toISOString();
}

export interface RootKeys {
  readonly root: readonly SigningKey[];
  readonly threshold: number;
  readonly catalog: readonly SigningKey[];
  readonly catalogThreshold: number;
  readonly timestamp: readonly SigningKey[];
  /** Keys of the root before, which must sign the new one too. */
  readonly before: readonly SigningKey[];
}

function role(all: readonly SigningKey[], threshold: number): SigningRole {
  return { keyIds: [...new Set(all.map(({ keyId }) => keyId))], threshold };
}

/** The first root, or the next one. It is checked as a user would check it before it is written. Raises what `requireSignatures` raises. */
export async function publishRoot(
  keys: RootKeys,
  days: number,
  deps: PublishDeps,
): Promise<{ readonly version: number; readonly pin: string; readonly expires: string }> {
  const last = await lastRoot(deps);
  const version = (last?.root.version ?? 0) + 1;
  const roles = {
    root: role(keys.root, keys.threshold),
    catalog: role(keys.catalog, keys.catalogThreshold),
    timestamp: role(keys.timestamp, 1),
  };
  const all = [...keys.root, ...keys.catalog, ...keys.timestamp];
  const signed = {
    type: 'root',
    version,
    expires: expiry(deps, days),
    keys: Object.fromEntries(all.map(({ keyId, publicKey }) => [keyId, publicKey])),
    roles,
  };
  const signers = new Map([...keys.root, ...keys.before].map((key) => [key.keyId, key]));
  const bytes = new TextEncoder().encode(signedText(signed, signWith(signed, [...signers.values()])));
  const rules = { verify, now: deps.now() };
  const { envelope } = parseSigned(rootFile(version), bytes, RootFile);
  const pin = last?.pin ?? rootPin(envelope);
  if (last === null) firstTrust(bytes, pin, rules);
  else nextTrust({ root: last.root, timestampVersion: 0, catalogVersion: 0 }, bytes, rules);
  await deps.write(rootFile(version), bytes);
  return { version, pin, expires: signed.expires };
}

/** Null before the first one. */
export async function lastRoot({
  files,
}: Pick<PublishDeps, 'files'>): Promise<{ readonly root: RootFile; readonly pin: string } | null> {
  const first = await files.read(rootFile(1), MAX_ROOT_BYTES);
  if (first === null) return null;
  const { content, envelope } = parseSigned(rootFile(1), first, RootFile);
  let root = content;
  for (let version = 2; ; version += 1) {
    const next = await files.read(rootFile(version), MAX_ROOT_BYTES);
    if (next === null) return { root, pin: rootPin(envelope) };
    root = parseSigned(rootFile(version), next, RootFile).content;
  }
}

/** The entries that were published before; none before the first time. Their signatures are not checked: the folder is the publisher's own. */
export async function publishedEntries({ files }: Pick<PublishDeps, 'files'>): Promise<readonly CatalogEntry[]> {
  const timestamp = await lastTimestamp(files);
  if (timestamp === null) return [];
  const file = catalogFile(timestamp.catalog.version);
  const bytes = await files.read(file, MAX_CATALOG_BYTES);
  return bytes === null ? [] : parseSigned(file, bytes, CatalogFile).content.entries;
}

/** Null before the first one. */
async function lastTimestamp(files: PublishDeps['files']): Promise<TimestampFile | null> {
  const bytes = await files.read(TIMESTAMP_FILE, MAX_TIMESTAMP_BYTES);
  return bytes === null ? null : parseSigned(TIMESTAMP_FILE, bytes, TimestampFile).content;
}

/** The bundles of all entries are there already. Raises `catalog.wrong-key` if the keys are not those of the last root. */
export async function publishEntries(
  entries: readonly CatalogEntry[],
  { keys, days }: { readonly keys: readonly SigningKey[]; readonly days: number },
  deps: PublishDeps,
): Promise<{ readonly version: number; readonly expires: string; readonly pin: string }> {
  const last = await lastRoot(deps);
  if (last === null)
    throw pinakesError('catalog.untrusted', { reason: 'it has no root yet; create one with pinakes catalog root' });
  const expires = expiry(deps, days);
  const before = await lastTimestamp(deps.files);
  // A version that was written and never named by a timestamp is replaced: no reader knows it.
  const version = (before?.catalog.version ?? 0) + 1;
  const sorted = entries.toSorted((a, b) => compareText(sortKey(a), sortKey(b)));
  const catalog = encodeSigned({ type: 'catalog', version, expires, entries: sorted }, keys);
  const timestampVersion = (before?.version ?? 0) + 1;
  const about = { version, bytes: catalog.byteLength, sha256: sha256Hex(catalog) };
  const timestamp = encodeSigned({ type: 'timestamp', version: timestampVersion, expires, catalog: about }, keys);
  const rules = { verify, now: deps.now() };
  const trusted = { root: last.root, timestampVersion: 0, catalogVersion: 0 };
  acceptCatalog(trusted, acceptTimestamp(trusted, timestamp, rules), catalog, rules);
  await deps.write(catalogFile(version), catalog);
  await deps.write(TIMESTAMP_FILE, timestamp);
  // A reader of the timestamp before still gets the catalogue before.
  await deps.remove(catalogFile(version - 2));
  return { version, expires, pin: last.pin };
}

function sortKey({ name, version }: CatalogEntry): string {
  return `${name}\n${version}`;
}

function encodeSigned(signed: object, keys: readonly SigningKey[]): Uint8Array {
  return new TextEncoder().encode(signedText(signed, signWith(signed, keys)));
}
