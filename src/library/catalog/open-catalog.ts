// Opens a catalogue: a folder or a URL with the pin of its first root. Only what its keys signed is returned, and never an older state
// than one that was accepted before.

import { z } from 'zod';
import {
  CATALOG_FILE,
  MAX_ROOT_BYTES,
  MAX_TIMESTAMP_BYTES,
  RootFile,
  rootFile,
  TIMESTAMP_FILE,
  type CatalogFile,
} from '../../core/catalog/catalog-files.ts';
import {
  acceptCatalog,
  acceptTimestamp,
  firstTrust,
  nextTrust,
  requireCurrentRoot,
  type TrustedState,
} from '../../core/catalog/catalog-trust.ts';
import { pinakesError } from '../../core/model/errors.ts';
import { verifySignature as verify } from './signing-keys.ts';

/** The files of one catalogue. */
export interface CatalogFiles {
  /** Null if there is no such file. Raises `catalog.unreachable`, or `catalog.too-large` before more than the limit is held. */
  read(file: string, maxBytes: number): Promise<Uint8Array | null>;
  close(): Promise<void>;
}

export interface CatalogAccess {
  /** `LOCATION#PIN`, as the operator configured them. */
  readonly configured: readonly string[];
  /** The version of this program. */
  readonly program: string;
  readonly now: () => number;
  /** A folder by its absolute path, or an http or https URL. */
  readonly open: (location: string, signal: AbortSignal) => Promise<CatalogFiles>;
  /** What was saved for the catalogue with this name; null before. */
  readonly loadTrust: (name: string) => Promise<unknown>;
  readonly saveTrust: (name: string, state: TrustedState) => Promise<void>;
}

export interface OpenCatalog {
  readonly location: string;
  readonly root: RootFile;
  readonly catalog: CatalogFile;
  readonly files: CatalogFiles;
}

const REFERENCE = /^(.+)#([0-9a-f]{64})$/;

export function parseCatalogReference(reference: string): { readonly location: string; readonly pin: string } {
  const [, location, pin] = REFERENCE.exec(reference) ?? [];
  if (location === undefined || pin === undefined)
    throw pinakesError('catalog.untrusted', { reason: `${reference.slice(0, 200)} has no pin` });
  return { location, pin };
}

/** The caller closes its files. Raises the errors of `catalog-trust.ts`. */
export async function openCatalog(reference: string, access: CatalogAccess, signal: AbortSignal): Promise<OpenCatalog> {
  const { location, pin } = parseCatalogReference(reference);
  const files = await access.open(location, signal);
  try {
    const rules = { verify, now: access.now() };
    const trusted = await updateRoot(pin, files, access);
    requireCurrentRoot(trusted, rules);
    const timestamp = acceptTimestamp(trusted, await required(files, TIMESTAMP_FILE, MAX_TIMESTAMP_BYTES), rules);
    const bytes = await required(files, CATALOG_FILE, timestamp.catalog.bytes);
    const catalog = acceptCatalog(trusted, timestamp, bytes, rules);
    const seen = { root: trusted.root, timestampVersion: timestamp.version, catalogVersion: catalog.version };
    await access.saveTrust(pin, seen);
    return { location, root: trusted.root, catalog, files };
  } catch (error) {
    await files.close();
    throw error;
  }
}

const SavedTrust = z.object({
  root: RootFile,
  timestampVersion: z.int().min(0),
  catalogVersion: z.int().min(0),
});

/** A publisher who changes keys every day for ten years has as many. */
const MAX_ROOTS = 4096;

/** Follows the roots one by one; each is saved, so that an attacker cannot hold back the removal of a key. */
async function updateRoot(
  pin: string,
  files: CatalogFiles,
  { now, loadTrust, saveTrust }: CatalogAccess,
): Promise<TrustedState> {
  const rules = { verify, now: now() };
  const saved = await loadTrust(pin);
  let trusted =
    saved === null ? firstTrust(await required(files, rootFile(1), MAX_ROOT_BYTES), pin, rules) : parseTrust(saved);
  for (let read = 0; read < MAX_ROOTS; read += 1) {
    const next = await files.read(rootFile(trusted.root.version + 1), MAX_ROOT_BYTES);
    if (next === null) return trusted;
    trusted = nextTrust(trusted, next, rules);
    await saveTrust(pin, trusted);
  }
  throw pinakesError('catalog.malformed', { file: rootFile(trusted.root.version + 1), reason: 'there are too many' });
}

/** A damaged state is an error: without it, older versions would be accepted again. */
function parseTrust(saved: unknown): TrustedState {
  const parsed = SavedTrust.safeParse(saved);
  if (parsed.success) return parsed.data;
  throw pinakesError('catalog.malformed', {
    file: 'the saved state',
    reason: 'it is damaged; delete it in the data folder to trust the pin again',
  });
}

export async function required(files: CatalogFiles, file: string, maxBytes: number): Promise<Uint8Array> {
  const bytes = await files.read(file, maxBytes);
  if (bytes === null) throw pinakesError('catalog.unreachable', { file, reason: 'there is no such file' });
  return bytes;
}

/** Closes the catalogues after the work. Raises what `openCatalogs` raises. */
export async function withCatalogs<Result>(
  references: readonly string[],
  { access, signal }: { readonly access: CatalogAccess; readonly signal: AbortSignal },
  work: (opened: readonly OpenCatalog[]) => Promise<Result>,
): Promise<Result> {
  const opened = await openCatalogs(references, access, signal);
  try {
    return await work(opened);
  } finally {
    await closeCatalogs(opened);
  }
}

export async function closeCatalogs(opened: readonly OpenCatalog[]): Promise<void> {
  for (const { files } of opened) await files.close();
}

/** All of them, in the order of the configuration; the caller closes them. Raises `catalog.none` for none. */
export async function openCatalogs(
  references: readonly string[],
  access: CatalogAccess,
  signal: AbortSignal,
): Promise<readonly OpenCatalog[]> {
  if (references.length === 0) throw pinakesError('catalog.none', {});
  const opened: OpenCatalog[] = [];
  try {
    for (const reference of references) opened.push(await openCatalog(reference, access, signal));
    return opened;
  } catch (error) {
    await closeCatalogs(opened);
    throw error;
  }
}
