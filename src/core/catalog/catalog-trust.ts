// Which files of a catalogue are accepted, in the manner of The Update Framework: each rejection has its own error. The caller reads the
// files and stores the trusted state; nothing here does either.

import { pinakesError } from '../model/errors.ts';
import { sha256Hex } from '../model/hash.ts';
import {
  catalogFile,
  CatalogFile,
  RootFile,
  rootFile,
  TIMESTAMP_FILE,
  TimestampFile,
  type SigningRoleName,
} from './catalog-files.ts';
import {
  canonicalJson,
  parseSigned,
  requireSignatures,
  type SignatureEnvelope,
  type SigningRole,
  type VerifySignature,
} from './signed-file.ts';

/** What was accepted last. A catalogue never goes back behind it. */
export interface TrustedState {
  readonly root: RootFile;
  /** 0 before the first one, and after a change of the keys that sign it. */
  readonly timestampVersion: number;
  readonly catalogVersion: number;
}

export interface TrustRules {
  readonly verify: VerifySignature;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The identity of a catalogue: a hash of its first root, which its user got from a source that they trust. */
export function rootPin({ signed }: SignatureEnvelope): string {
  return sha256Hex(canonicalJson(signed));
}

/** The first root is trusted for its hash. Raises `catalog.untrusted`, `catalog.malformed`, or what `requireSignatures` raises. */
export function firstTrust(bytes: Uint8Array, pin: string, { verify }: TrustRules): TrustedState {
  const file = rootFile(1);
  const { content: root, envelope } = parseSigned(file, bytes, RootFile);
  if (rootPin(envelope) !== pin)
    throw pinakesError('catalog.untrusted', { reason: `its first root is ${rootPin(envelope)}, and not ${pin}` });
  requireRole('root', file, { root, envelope, verify });
  return { root, timestampVersion: 0, catalogVersion: 0 };
}

/**
 * The next root must be signed by the keys of the trusted one and by its own. If the keys of another role changed, the versions that were
 * signed with the old ones no longer count: an attacker who had them may have signed the highest version there is.
 */
export function nextTrust(trusted: TrustedState, bytes: Uint8Array, { verify }: TrustRules): TrustedState {
  const wanted = trusted.root.version + 1;
  const file = rootFile(wanted);
  const { content: root, envelope } = parseSigned(file, bytes, RootFile);
  requireRole('root', file, { root: trusted.root, envelope, verify });
  requireRole('root', file, { root, envelope, verify });
  if (root.version !== wanted)
    throw pinakesError('catalog.rolled-back', { file, version: root.version, trusted: trusted.root.version });
  const isChanged = (['catalog', 'timestamp'] as const).some((role) => !isSameRole(trusted.root, root, role));
  return isChanged ? { root, timestampVersion: 0, catalogVersion: 0 } : { ...trusted, root };
}

function isSameRole(left: RootFile, right: RootFile, name: SigningRoleName): boolean {
  return roleText(left.roles[name]) === roleText(right.roles[name]);
}

function roleText({ keyIds, threshold }: SigningRole): string {
  return `${threshold} ${keyIds.toSorted().join(' ')}`;
}

/** Checked once the last root is known: those in between may have expired. Raises `catalog.keys-expired`. */
export function requireCurrentRoot({ root }: TrustedState, { now }: TrustRules): void {
  if (isExpired(root.expires, now)) throw pinakesError('catalog.keys-expired', { expires: root.expires });
}

/** Raises what `requireSignatures` raises, `catalog.rolled-back` or `catalog.expired`. */
export function acceptTimestamp(trusted: TrustedState, bytes: Uint8Array, rules: TrustRules): TimestampFile {
  const file = TIMESTAMP_FILE;
  const { content, envelope } = parseSigned(file, bytes, TimestampFile);
  requireRole('timestamp', file, { root: trusted.root, envelope, verify: rules.verify });
  requireVersion(file, content.version, trusted.timestampVersion);
  requireVersion(catalogFile(content.catalog.version), content.catalog.version, trusted.catalogVersion);
  requireUnexpired(file, content.expires, rules);
  return content;
}

/** Raises `catalog.changed-file`, `catalog.mixed`, what `requireSignatures` raises, or `catalog.expired`. */
export function acceptCatalog(
  trusted: TrustedState,
  timestamp: TimestampFile,
  bytes: Uint8Array,
  rules: TrustRules,
): CatalogFile {
  const { version, bytes: length, sha256 } = timestamp.catalog;
  const file = catalogFile(version);
  if (bytes.byteLength !== length || sha256Hex(bytes) !== sha256)
    throw pinakesError(isSignedCatalog(file, bytes, { trusted, rules }) ? 'catalog.mixed' : 'catalog.changed-file', {
      file,
    });
  const { content, envelope } = parseSigned(file, bytes, CatalogFile);
  requireRole('catalog', file, { root: trusted.root, envelope, verify: rules.verify });
  if (content.version !== version) throw pinakesError('catalog.mixed', { file });
  requireUnexpired(file, content.expires, rules);
  return content;
}

/** Tells the catalogue of another time from one that was changed. */
function isSignedCatalog(
  file: string,
  bytes: Uint8Array,
  { trusted: { root }, rules: { verify } }: { readonly trusted: TrustedState; readonly rules: TrustRules },
): boolean {
  try {
    requireRole('catalog', file, { root, envelope: parseSigned(file, bytes, CatalogFile).envelope, verify });
    return true;
  } catch {
    return false;
  }
}

function requireRole(
  name: SigningRoleName,
  file: string,
  { root, envelope, verify }: { root: RootFile; envelope: SignatureEnvelope; verify: VerifySignature },
): void {
  requireSignatures(file, envelope, { role: root.roles[name], keys: root.keys, verify });
}

function requireVersion(file: string, version: number, trusted: number): void {
  if (version < trusted) throw pinakesError('catalog.rolled-back', { file, version, trusted });
}

function requireUnexpired(file: string, expires: string, { now }: TrustRules): void {
  if (isExpired(expires, now)) throw pinakesError('catalog.expired', { file, expires });
}

function isExpired(expires: string, now: number): boolean {
  return !(Date.parse(expires) > now);
}
