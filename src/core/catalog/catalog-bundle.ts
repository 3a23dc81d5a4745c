// Whether a bundle is the one that the entry of a catalogue describes, and which entry a user means.

import { readBundleFile } from '../export/bundle/bundle-archive.ts';
import type { BundleReader } from '../export/bundle/read-bundle.ts';
import { pinakesError } from '../model/errors.ts';
import { sha256Hex } from '../model/hash.ts';
import { sourceLabel } from '../model/source-name.ts';
import { versionVerdict } from '../model/version-verdict.ts';
import { isRedistributable } from './redistributable.ts';
import type { CatalogBundle, CatalogEntry } from './catalog-files.ts';
import type { FileSourceLimits } from '../files/file-limits.ts';

/** Raises `catalog.changed-bundle`, `catalog.wrong-entry`, `catalog.foreign-vectors`, or what a damaged bundle raises. */
export function acceptBundle(
  { name, version, license, bundle }: CatalogEntry & { readonly bundle: CatalogBundle },
  bytes: Uint8Array,
  limits: FileSourceLimits,
): BundleReader {
  const entry = `${name}@${version}`;
  if (bytes.byteLength !== bundle.bytes || sha256Hex(bytes) !== bundle.sha256)
    throw pinakesError('catalog.changed-bundle', { entry });
  if (!isRedistributable(license)) throw pinakesError('catalog.unlicensed', { entry, license: license ?? 'none' });
  const reader = readBundleFile(bytes, entry, limits);
  const { stated } = reader;
  if (stated.name !== name || stated.version !== version)
    throw pinakesError('catalog.wrong-entry', {
      entry,
      reason: `it is of ${sourceLabel(stated.name)}@${sourceLabel(stated.version)}`,
    });
  if (reader.indexId !== bundle.indexId)
    throw pinakesError('catalog.wrong-entry', { entry, reason: 'it has other pages than the catalogue says' });
  const foreign = reader.vectors.find(({ fingerprint }) => fingerprint !== bundle.vectors);
  if (foreign !== undefined)
    throw pinakesError('catalog.foreign-vectors', {
      entry,
      found: foreign.fingerprint,
      expected: bundle.vectors ?? 'none',
    });
  return reader;
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
