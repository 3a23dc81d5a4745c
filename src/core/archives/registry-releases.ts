// Parses the metadata of registries: the releases of a package, each with its archive and hash. Input is hostile: each field may have any
// type.

import { fieldOf, isRecord } from '../extract/data/json-fields.ts';
import { compareVersions, versionVerdict } from '../model/version-verdict.ts';
import { parseJson, parseLargeJson } from '../text/parse-json.ts';

export interface ArchiveHash {
  readonly algorithm: 'sha512' | 'sha256' | 'sha1';
  readonly digest: string;
  readonly encoding: 'base64' | 'hex';
}

export interface Release {
  readonly version: string;
  /** Absolute, or relative to the file that names it. */
  readonly url: string;
  readonly hash: ArchiveHash;
  /** Whether the release was withdrawn: then it is chosen only by its exact version. */
  readonly isYanked: boolean;
  /** As its publisher states it; absent if the registry does not say. */
  readonly license?: string;
}

export interface Releases {
  readonly releases: readonly Release[];
  /** Names for versions, such as `latest`. */
  readonly tags: ReadonlyMap<string, string>;
}

/** Far above the largest packages. The versions are sorted, and each comparison parses two of them. */
const MAX_RELEASES = 50_000;
/** A release of a Python project has a file for each machine. */
const MAX_FILES = 500_000;
const MAX_VERSION_CHARS = 100;
/** `0.0.0-experimental-c7b4e6b-20240704` has one. */
const MAX_VERSION_WORDS = 3;

/** Agents read it as the version of a source, and people in messages, so its publisher must not make it a sentence. */
function isVersion(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > MAX_VERSION_CHARS || !/^v?\d[\w.!+~-]*$/i.test(text)) return false;
  return (text.match(/[a-z]{3,}/gi) ?? []).length <= MAX_VERSION_WORDS;
}

/** Resolves a range to a release: a tag, an exact version, or the highest version that matches. */
export function pickRelease({ releases, tags }: Releases, range: string): Release | null {
  const exact = tags.get(range === '' ? 'latest' : range) ?? range;
  const named = releases.find(({ version }) => version === exact);
  if (named !== undefined) return named;
  const stable = releases.filter(({ version, isYanked }) => !isYanked && !isPrerelease(version));
  const offered = stable.length === 0 ? releases.filter(({ isYanked }) => !isYanked) : stable;
  const verdict = versionVerdict(
    offered.map(({ version }) => version),
    range === '' ? 'latest' : range,
  );
  return verdict.found ? (offered.find(({ version }) => version === verdict.label) ?? null) : null;
}

function isPrerelease(version: string): boolean {
  return /^\d+(?:\.\d+)*[.-]?[a-z-]/i.test(version.split('+', 1)[0] ?? '') && !/\.?post\d*$/.test(version);
}

/** The highest versions, for a message. */
export function highestVersions({ releases }: Releases, count: number): readonly string[] {
  return releases
    .map(({ version }) => version)
    .toSorted((a, b) => compareVersions(b, a))
    .slice(0, count);
}

const MAX_LICENSE_CHARS = 200;

/** A packument of npm; null for anything else. */
export function readNpmReleases(text: string): Releases | null {
  const document = parseLargeJson(text);
  const versions = fieldOf(document, 'versions');
  if (!isRecord(versions)) return null;
  const releases = Object.entries(versions)
    .slice(-MAX_RELEASES)
    .flatMap(([version, about]): readonly Release[] => {
      const dist = fieldOf(about, 'dist');
      const hash = subresourceHash(fieldOf(dist, 'integrity')) ?? hexHash('sha1', fieldOf(dist, 'shasum'));
      const url = fieldOf(dist, 'tarball');
      if (hash === null || typeof url !== 'string' || !isVersion(version)) return [];
      const license = fieldOf(about, 'license');
      const stated = typeof license === 'string' && license.length <= MAX_LICENSE_CHARS ? { license } : {};
      return [{ version, url, hash, isYanked: false, ...stated }];
    });
  const tags = fieldOf(document, 'dist-tags');
  const named = isRecord(tags) ? Object.entries(tags).filter(([, version]) => typeof version === 'string') : [];
  return { releases, tags: new Map(named as Array<[string, string]>) };
}

/** Parses `sha512-…`; the strongest of several hashes. */
function subresourceHash(integrity: unknown): ArchiveHash | null {
  if (typeof integrity !== 'string') return null;
  for (const algorithm of ['sha512', 'sha256'] as const) {
    const [, digest] = new RegExp(`(?:^|\\s)${algorithm}-([A-Za-z0-9+/]{43,88}={0,2})`).exec(integrity) ?? [];
    if (digest !== undefined) return { algorithm, digest, encoding: 'base64' };
  }
  return null;
}

const HEX_DIGITS = { sha1: 40, sha256: 64 } as const;

function hexHash(algorithm: keyof typeof HEX_DIGITS, digest: unknown): ArchiveHash | null {
  if (typeof digest !== 'string' || digest.length !== HEX_DIGITS[algorithm] || !/^[\da-f]+$/i.test(digest)) return null;
  return { algorithm, digest: digest.toLowerCase(), encoding: 'hex' };
}

/** A project of a Python index in the JSON form of its simple API; null for anything else. */
export function readPypiReleases(text: string, name: string): Releases | null {
  const files = fieldOf(parseLargeJson(text), 'files');
  if (!Array.isArray(files)) return null;
  const best = new Map<string, Release & { readonly rank: number }>();
  for (const file of files.slice(-MAX_FILES)) {
    const [filename, url] = [fieldOf(file, 'filename'), fieldOf(file, 'url')];
    const hash = hexHash('sha256', fieldOf(fieldOf(file, 'hashes'), 'sha256'));
    if (typeof filename !== 'string' || typeof url !== 'string' || hash === null) continue;
    const named = pypiFile(filename, name);
    if (named === null || !isVersion(named.version) || (best.get(named.version)?.rank ?? Infinity) <= named.rank)
      continue;
    const yanked = fieldOf(file, 'yanked');
    const isYanked = yanked !== undefined && yanked !== false;
    best.set(named.version, { version: named.version, url, hash, isYanked, rank: named.rank });
  }
  return { releases: [...best.values()], tags: new Map() };
}

/** Wheels come first: their metadata is complete, and their files are the installed ones. */
function pypiFile(filename: string, name: string): { readonly version: string; readonly rank: number } | null {
  const normal = filename.slice(0, 300).toLowerCase();
  const prefix = normal.slice(0, name.length + 1).replaceAll(/[._-]/g, '-');
  if (prefix !== `${name}-`) return null;
  const rest = normal.slice(name.length + 1);
  const [, ofWheel, tags = ''] = /^([^-]{1,100})-(.{1,200})\.whl$/.exec(rest) ?? [];
  if (ofWheel !== undefined) return { version: ofWheel, rank: tags.endsWith('-none-any') ? 0 : 1 };
  const [, ofArchive] = /^([^-]{1,100})\.tar\.gz$/.exec(rest) ?? [];
  return ofArchive === undefined ? null : { version: ofArchive, rank: 2 };
}

/** A file of a sparse index: one line of JSON for each release. */
export function readCargoReleases(text: string, name: string): Releases | null {
  const releases = text.split('\n', MAX_RELEASES).flatMap((line): readonly Release[] => {
    const release = parseLargeJson(line);
    const [version, hash] = [fieldOf(release, 'vers'), hexHash('sha256', fieldOf(release, 'cksum'))];
    const isOfPackage = String(fieldOf(release, 'name')).toLowerCase() === name.toLowerCase();
    if (!isVersion(version) || hash === null || !isOfPackage) return [];
    return [{ version, url: '', hash, isYanked: fieldOf(release, 'yanked') === true }];
  });
  return releases.length === 0 ? null : { releases, tags: new Map() };
}

/** Where the file of a crate is in a sparse index: `3/s/syn`, `se/rd/serde`. */
export function cargoIndexPath(name: string): string {
  const lower = name.toLowerCase();
  if (lower.length <= 2) return `${lower.length}/${lower}`;
  if (lower.length === 3) return `3/${lower[0]}/${lower}`;
  return `${lower.slice(0, 2)}/${lower.slice(2, 4)}/${lower}`;
}

/** The address of an archive by `dl` of the index's `config.json`; null for a file that has none. */
export function cargoDownload(config: string, { version, hash }: Release, name: string): string | null {
  const dl = fieldOf(parseJson(config), 'dl');
  if (typeof dl !== 'string') return null;
  const lower = name.toLowerCase();
  const marks: Readonly<Record<string, string>> = {
    '{crate}': name,
    '{version}': version,
    '{sha256-checksum}': hash.digest,
    '{prefix}': cargoIndexPath(name).split('/').slice(0, -1).join('/'),
    '{lowerprefix}': cargoIndexPath(lower).split('/').slice(0, -1).join('/'),
  };
  const hasMark = Object.keys(marks).some((mark) => dl.includes(mark));
  if (!hasMark) return `${dl.replace(/\/+$/, '')}/${encodeURIComponent(name)}/${encodeURIComponent(version)}/download`;
  return Object.entries(marks).reduce((url, [mark, value]) => url.replaceAll(mark, encodeURI(value)), dl);
}
