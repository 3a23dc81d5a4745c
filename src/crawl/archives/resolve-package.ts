// Resolves a package reference to a release with the registry's metadata, and fetches the archive of that release.

import { createHash } from 'node:crypto';
import type { PackageReference, Registry } from '../../core/archives/package-reference.ts';
import {
  cargoDownload,
  cargoIndexPath,
  highestVersions,
  pickRelease,
  readCargoReleases,
  readNpmReleases,
  readPypiReleases,
  type Release,
  type Releases,
} from '../../core/archives/registry-releases.ts';
import { pinakesError } from '../../core/model/errors.ts';
import { pageUrl, parsePageUrl, type PageUrl } from '../../core/model/page-url.ts';
import { decodeUtf8 } from '../../core/text/decode-utf8.ts';
import type { RegistryAccess } from '../context/ports.ts';
import type { ArchiveFetch } from './archive-fetch.ts';

export interface ResolvedRelease extends Omit<Release, 'url'> {
  /** Null if another file of the registry says where archives are. */
  readonly url: PageUrl | null;
}

/** Enough for the metadata of packages with thousands of releases. */
const MAX_INDEX_BYTES = 67_108_864;
const MAX_SHOWN_VERSIONS = 5;

const ACCEPTS: Readonly<Record<Registry, string>> = {
  npm: 'application/vnd.npm.install-v1+json, application/json;q=0.8',
  pypi: 'application/vnd.pypi.simple.v1+json',
  cargo: '*/*',
};

/** Sends one request. Raises `package.unknown`, `package.unknown-version` or `registry.unreachable`. */
export async function resolvePackage(
  reference: PackageReference,
  { url: registry }: RegistryAccess,
  fetchFile: ArchiveFetch,
): Promise<ResolvedRelease> {
  const { registry: kind, name, range } = reference;
  const about = indexUrl(reference, registry);
  const listed = await fetchFile(about, { name, accept: ACCEPTS[kind], maxBytes: MAX_INDEX_BYTES });
  if (listed.kind === 'missing') throw pinakesError('package.unknown', { name, registry });
  if (listed.kind === 'failed') throw pinakesError('registry.unreachable', { registry, reason: listed.reason });
  const releases = readReleases(reference, decodeUtf8(listed.body));
  if (releases === null)
    throw pinakesError('registry.unreachable', {
      registry,
      reason: `its answer about ${name} has no list of releases`,
    });
  const release = pickRelease(releases, range);
  if (release === null) {
    const known = highestVersions(releases, MAX_SHOWN_VERSIONS).join(', ') || 'none';
    throw pinakesError('package.unknown-version', { name, version: range || 'latest', known });
  }
  return { ...release, url: archiveUrl(reference, release, { registry, indexUrl: listed.url }) };
}

function indexUrl({ registry: kind, name }: PackageReference, registry: string): PageUrl {
  const base = registry.replace(/\/+$/, '');
  if (kind === 'npm') return pageUrl(`${base}/${name.replace('/', '%2f')}`);
  return pageUrl(kind === 'pypi' ? `${base}/${name}/` : `${base}/${cargoIndexPath(name)}`);
}

function readReleases({ registry: kind, name }: PackageReference, text: string): Releases | null {
  if (kind === 'npm') return readNpmReleases(text);
  return kind === 'pypi' ? readPypiReleases(text, name) : readCargoReleases(text, name);
}

/** Archives of npm are requested from the registry itself, whatever host its answer names; a Python index names the host of its files. */
function archiveUrl(
  { registry: kind, name }: PackageReference,
  { url, version }: Release,
  { registry, indexUrl: base }: { readonly registry: string; readonly indexUrl: PageUrl },
): PageUrl | null {
  if (kind === 'cargo') return null;
  const stated = parsePageUrl(url, base);
  if (kind === 'pypi') return stated;
  if (stated !== null && new URL(stated).origin === new URL(registry).origin) return stated;
  const file = `${name.slice(name.indexOf('/') + 1)}-${version}.tgz`;
  return pageUrl(`${registry.replace(/\/+$/, '')}/${name}/-/${file}`);
}

export interface PackageArchive {
  readonly url: PageUrl;
  readonly body: Uint8Array;
}

/** Raises `archive.mismatch` if it is not what the registry announced, `registry.unreachable` or `archive.too-large`. */
export async function fetchPackageArchive(
  reference: PackageReference,
  release: ResolvedRelease,
  { url: registry }: RegistryAccess,
  { fetchFile, maxBytes }: { readonly fetchFile: ArchiveFetch; readonly maxBytes: number },
): Promise<PackageArchive> {
  const name = `${reference.name} ${release.version}`;
  const url = release.url ?? (await cargoArchiveUrl(reference, release, registry, fetchFile));
  const fetched = await fetchFile(url, { name, maxBytes });
  if (fetched.kind !== 'file') throw pinakesError('registry.unreachable', { registry, reason: fetched.reason });
  const { algorithm, digest, encoding } = release.hash;
  if (createHash(algorithm).update(fetched.body).digest(encoding) !== digest)
    throw pinakesError('archive.mismatch', {
      name,
      reason: `its ${algorithm} hash is not the one that the registry states`,
    });
  return { url: fetched.url, body: fetched.body };
}

const MAX_CONFIG_BYTES = 65_536;

async function cargoArchiveUrl(
  { name }: PackageReference,
  release: ResolvedRelease,
  registry: string,
  fetchFile: ArchiveFetch,
): Promise<PageUrl> {
  const configUrl = pageUrl(`${registry.replace(/\/+$/, '')}/config.json`);
  const config = await fetchFile(configUrl, { name, maxBytes: MAX_CONFIG_BYTES });
  const download =
    config.kind === 'file' ? cargoDownload(decodeUtf8(config.body), { ...release, url: '' }, name) : null;
  const url = download === null ? null : parsePageUrl(download);
  if (url !== null) return url;
  throw pinakesError('registry.unreachable', { registry, reason: 'its config.json does not say where archives are' });
}
