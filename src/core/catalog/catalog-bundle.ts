// Whether a bundle is the one that the entry of a catalogue describes, and which entry a user means.

import { isSameArchiveSource, parseArchiveReference } from '../archives/archive-reference.ts';
import { readBundleFile, readBundleManifests } from '../export/bundle/bundle-archive.ts';
import { pinakesError } from '../model/errors.ts';
import { sha256Hex } from '../model/hash.ts';
import { sourceLabel } from '../model/source-name.ts';
import { versionVerdict } from '../model/version-verdict.ts';
import { isRedistributable } from './redistributable.ts';
import type { CatalogBundle, CatalogEntry } from './catalog-files.ts';
import type { FileSourceLimits } from '../files/file-limits.ts';

/**
 * Its pages are read by the run that stores them. Raises `catalog.changed-bundle`, `catalog.unlicensed`, `catalog.wrong-entry`,
 * `catalog.other-pages`, `catalog.foreign-vectors`, or what a damaged bundle raises.
 */
export function acceptBundle(
  { name, version, startUrl, license, bundle }: CatalogEntry & { readonly bundle: CatalogBundle },
  bytes: Uint8Array,
  limits: FileSourceLimits,
): void {
  const entry = `${name}@${version}`;
  if (bytes.byteLength !== bundle.bytes || sha256Hex(bytes) !== bundle.sha256)
    throw pinakesError('catalog.changed-bundle', { entry });
  requireOwnName({ name, version, startUrl });
  if (!isRedistributable(license)) throw pinakesError('catalog.unlicensed', { entry, license: license ?? 'none' });
  const { stated, indexId, vectors } = readBundleManifests(bytes, entry, limits);
  if (stated.name !== name || stated.version !== version)
    throw pinakesError('catalog.wrong-entry', {
      entry,
      reason: `it is of ${sourceLabel(stated.name)}@${sourceLabel(stated.version)}`,
    });
  if (indexId !== bundle.indexId)
    throw pinakesError('catalog.other-pages', {
      entry,
      reason: `its index id is ${indexId}, and not ${bundle.indexId}`,
    });
  const foreign = vectors.find(({ fingerprint }) => fingerprint !== bundle.vectors);
  if (foreign !== undefined)
    throw pinakesError('catalog.foreign-vectors', {
      entry,
      found: foreign.fingerprint,
      expected: bundle.vectors ?? 'none',
    });
}

/** A user who looks for a package must not get another one. Raises `catalog.wrong-entry`. */
export function requireOwnName({ name, version, startUrl }: Pick<CatalogEntry, 'name' | 'version' | 'startUrl'>): void {
  const [named, start] = [parseArchiveReference(name), parseArchiveReference(startUrl)];
  if (named === null || (start !== null && isSameArchiveSource(named, start))) return;
  throw pinakesError('catalog.wrong-entry', { entry: `${name}@${version}`, reason: `it is read from ${startUrl}` });
}

/** Raises what `acceptBundle` raises, and `bundle.corrupt` for a page whose texts are not those of the manifests. */
export function acceptBundlePages(
  entry: CatalogEntry & { readonly bundle: CatalogBundle },
  bytes: Uint8Array,
  limits: FileSourceLimits,
): void {
  acceptBundle(entry, bytes, limits);
  const reader = readBundleFile(bytes, `${entry.name}@${entry.version}`, limits);
  for (const { path } of reader.pages) reader.read(path);
}

/** `fastify`, `fastify@5`, `npm:@scope/name@^1`: the highest version that matches. Null if there is none. */
export function findEntry(entries: readonly CatalogEntry[], wanted: string): CatalogEntry | null {
  const at = wanted.lastIndexOf('@');
  const hasRange = at > 0 && !/[:/]$/.test(wanted.slice(0, at));
  const name = hasRange ? wanted.slice(0, at) : wanted;
  const named = entries.filter((entry) => entry.name === name || entry.name === `npm:${name}`);
  const verdict = versionVerdict(
    named.map(({ version }) => version),
    hasRange ? wanted.slice(at + 1) : 'latest',
  );
  return verdict.found ? (named.find(({ version }) => version === verdict.label) ?? null) : null;
}
