// Opens a catalogue: a folder or a URL with the pin of its first root. Only what its keys signed is returned, and never an older state
// than one that was accepted before.

import { z } from 'zod';
import {
  catalogFile,
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
  type TrustRules,
} from '../../core/catalog/catalog-trust.ts';
import { canonicalJson } from '../../core/catalog/signed-file.ts';
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
  /** What was saved last for the catalogue with this name. */
  readonly loadTrust: (name: string) => Promise<SavedTrust>;
  /** False, and nothing is changed, if another process has saved since that version was loaded. */
  readonly saveTrust: (name: string, version: number, state: TrustedState) => Promise<boolean>;
}

export interface SavedTrust {
  /** 0 before the first one; each one that is saved has the next number. */
  readonly version: number;
  /** Null before the first one. */
  readonly state: unknown;
}

export interface OpenCatalog {
  readonly location: string;
  readonly root: RootFile;
  readonly catalog: CatalogFile;
  readonly files: CatalogFiles;
}

const SAVED_STATE = 'the saved state';

const REFERENCE = /^(.+)#([0-9a-f]{64})$/;

export function parseCatalogReference(reference: string): { readonly location: string; readonly pin: string } {
  const [, location, pin] = REFERENCE.exec(reference) ?? [];
  if (location === undefined || pin === undefined)
    throw pinakesError('catalog.untrusted', { reason: `${reference.slice(0, 200)} has no pin` });
  return { location, pin };
}

/** How often processes that open the same catalogue may interfere. */
const MAX_ATTEMPTS = 20;

/** The caller closes its files. Raises the errors of `catalog-trust.ts`. */
export async function openCatalog(reference: string, access: CatalogAccess, signal: AbortSignal): Promise<OpenCatalog> {
  const { location, pin } = parseCatalogReference(reference);
  const files = await access.open(location, signal);
  try {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      signal.throwIfAborted();
      const accepted = await acceptFiles(pin, files, access);
      if (accepted !== null) return { location, ...accepted, files };
    }
    throw pinakesError('catalog.unreachable', { file: SAVED_STATE, reason: 'other processes keep changing it' });
  } catch (error) {
    await files.close();
    throw error;
  }
}

/** Null if another process saved a state in the meantime: what was read may be older. */
async function acceptFiles(
  pin: string,
  files: CatalogFiles,
  access: CatalogAccess,
): Promise<Pick<OpenCatalog, 'root' | 'catalog'> | null> {
  const rules = { verify, now: access.now() };
  const trust = await openTrust(pin, files, access);
  if (!(await updateRoot(trust, files, rules))) return null;
  const trusted = trust.state();
  requireCurrentRoot(trusted, rules);
  const timestamp = acceptTimestamp(trusted, await required(files, TIMESTAMP_FILE, MAX_TIMESTAMP_BYTES), rules);
  const bytes = await required(files, catalogFile(timestamp.catalog.version), timestamp.catalog.bytes);
  const catalog = acceptCatalog(trusted, timestamp, bytes, rules);
  const { root } = trusted;
  const isSaved = await trust.save({ root, timestampVersion: timestamp.version, catalogVersion: catalog.version });
  return isSaved ? { root, catalog } : null;
}

interface Trust {
  readonly state: () => TrustedState;
  /** False if another process was first. */
  readonly save: (state: TrustedState) => Promise<boolean>;
}

async function openTrust(
  pin: string,
  files: CatalogFiles,
  { now, loadTrust, saveTrust }: CatalogAccess,
): Promise<Trust> {
  let { version, state: saved } = await loadTrust(pin);
  let state =
    saved === null
      ? firstTrust(await required(files, rootFile(1), MAX_ROOT_BYTES), pin, { verify, now: now() })
      : parseTrust(saved);
  return {
    state: () => state,
    async save(next) {
      const isKnown = canonicalJson(next) === canonicalJson(saved);
      if (!isKnown && !(await saveTrust(pin, version, next))) return false;
      if (!isKnown) version += 1;
      saved = state = next;
      return true;
    },
  };
}

const SavedState = z.object({
  root: RootFile,
  timestampVersion: z.int().min(0),
  catalogVersion: z.int().min(0),
});

/** A publisher who changes keys every day for ten years has as many. */
const MAX_ROOTS = 4096;

/** Follows the roots one by one; each is saved, so that an attacker cannot hold back the removal of a key. False if another process was first. */
async function updateRoot({ state, save }: Trust, files: CatalogFiles, rules: TrustRules): Promise<boolean> {
  for (let read = 0; read < MAX_ROOTS; read += 1) {
    const next = await files.read(rootFile(state().root.version + 1), MAX_ROOT_BYTES);
    if (next === null) return true;
    if (!(await save(nextTrust(state(), next, rules)))) return false;
  }
  throw pinakesError('catalog.malformed', { file: rootFile(state().root.version + 1), reason: 'there are too many' });
}

/** A damaged state is an error: without it, older versions would be accepted again. */
function parseTrust(saved: unknown): TrustedState {
  const parsed = SavedState.safeParse(saved);
  if (parsed.success) return parsed.data;
  throw pinakesError('catalog.malformed', {
    file: SAVED_STATE,
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
