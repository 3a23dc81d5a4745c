// A package that a lockfile pins. Lockfiles are hostile input: a name or a version that is none is skipped with its reason, the number of
// entries is bounded, and addresses are never read.

import { fieldOf, isRecord } from '../extract/data/json-fields.ts';
import { cleanLine } from '../extract/decode/clean-text.ts';
import { pinakesError, type PinakesError } from '../model/errors.ts';
import { sha256Hex } from '../model/hash.ts';
import { compareText } from '../text/compare-text.ts';

export const ECOSYSTEMS = ['npm', 'pypi', 'cargo', 'go', 'gem', 'composer'] as const;
export type Ecosystem = (typeof ECOSYSTEMS)[number];

export interface LockedPackage {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string;
  /** Whether the project or one of its workspaces depends on it by itself. */
  readonly isDirect: boolean;
  /** The workspaces that do, sorted; the empty string is the root of the project. */
  readonly workspaces: readonly string[];
  /** Names under which they import it, if that is not its name. */
  readonly aliases: readonly string[];
  /** Folders that the lockfile names, relative to it; empty if the layout of its manager decides. */
  readonly folders: readonly string[];
}

/** Why an entry of a lockfile is not in the list. */
export interface SkippedEntry {
  readonly name: string;
  readonly reason: 'name' | 'version' | 'unpinned' | 'local';
}

export interface LockedPackages {
  /** Sorted by ecosystem, name and version. */
  readonly packages: readonly LockedPackage[];
  readonly skipped: readonly SkippedEntry[];
}

/** Another file of the project, by its path relative to the lockfile: `package.json`, `packages/a/package.json`, `pyproject.toml`. */
export type Manifests = ReadonlyMap<string, string>;

export interface LockfileText {
  readonly path: string;
  readonly text: string;
  readonly manifests: Manifests;
}

/** The largest lockfiles of public repositories have about 5 MB and 10,000 entries. */
export const MAX_LOCKFILE_BYTES = 32 * 1024 * 1024;
export const MAX_ENTRIES = 100_000;
/** Limit for a lockfile in YAML: about 30,000 packages. */
export const MAX_LOCKFILE_TOKENS = 3_000_000;
const MAX_SKIPPED = 1000;

const NPM_NAME = /^(?:@[a-z0-9~_-][a-z0-9._~-]*\/)?[a-z0-9~_-][a-z0-9._~-]*$/i;
const PLAIN_NAME = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i;
const NAMES: Readonly<Record<Ecosystem, RegExp>> = {
  npm: NPM_NAME,
  pypi: PLAIN_NAME,
  cargo: /^[a-z][a-z0-9_-]*$/i,
  go: /^[a-z0-9][a-z0-9._~-]*(?:\/[a-z0-9_~-][a-z0-9._~-]*)*$/i,
  gem: /^[a-z0-9_][a-z0-9._-]*$/i,
  composer: /^[a-z0-9][a-z0-9._-]*\/[a-z0-9][a-z0-9._-]*$/i,
};
const MAX_NAME_CHARS = 214;
const VERSION = /^v?\d[0-9a-z.+!_-]{0,98}$/i;

export function isPackageName(ecosystem: Ecosystem, name: string): boolean {
  return name.length <= MAX_NAME_CHARS && !name.includes('..') && NAMES[ecosystem].test(name);
}

export function isPackageVersion(version: string): boolean {
  return VERSION.test(version) && !version.includes('..');
}

const MAX_SOURCE_NAME_CHARS = 60;

/** `npm:fastify`: the name of the source that has its documentation. A name that is too long to be shown ends in its hash. */
export function packageSourceName({ ecosystem, name }: Pick<LockedPackage, 'ecosystem' | 'name'>): string {
  const full = `${ecosystem}:${name}`;
  if (full.length <= MAX_SOURCE_NAME_CHARS) return full;
  return `${full.slice(0, MAX_SOURCE_NAME_CHARS - 9)}-${sha256Hex(new TextEncoder().encode(full)).slice(0, 8)}`;
}

/** Whether a text may be the name of such a source: of any ecosystem, complete or with a hash. */
export function isPackageSourceName(name: string): boolean {
  const [, ecosystem] = /^([a-z]+):@?[\w~][\w./~-]*$/.exec(name) ?? [];
  return name.length <= MAX_SOURCE_NAME_CHARS && ECOSYSTEMS.some((one) => one === ecosystem);
}

/** What a reader found out about an entry; the same package may be found several times. */
export interface FoundPackage {
  readonly name: string;
  readonly version: string;
  /** The workspace that depends on it; null for a package that only other packages use. */
  readonly workspace: string | null;
  readonly alias?: string;
  readonly folder?: string;
}

export interface PackageList {
  add(found: FoundPackage): void;
  skip(name: string, reason: SkippedEntry['reason']): void;
  result(): LockedPackages;
}

/** Raises `lockfile.too-large`. */
export function createPackageList(ecosystem: Ecosystem, path: string): PackageList {
  const found = new Map<
    string,
    { name: string; version: string; uses: Set<string>; aliases: Set<string>; folders: Set<string> }
  >();
  const skipped = new Map<string, SkippedEntry>();
  let entries = 0;
  const count = (): void => {
    entries += 1;
    if (entries > MAX_ENTRIES * 10) throw tooLarge(path, `${MAX_ENTRIES * 10} entries`);
  };
  const list: PackageList = {
    add({ name, version, workspace, alias, folder }) {
      count();
      if (!isPackageName(ecosystem, name)) return list.skip(name, 'name');
      if (!isPackageVersion(version)) return list.skip(name, 'version');
      const key = `${name}@${version}`;
      const entry = found.get(key) ?? { name, version, uses: new Set(), aliases: new Set(), folders: new Set() };
      found.set(key, entry);
      if (found.size > MAX_ENTRIES) throw tooLarge(path, `${MAX_ENTRIES} packages`);
      if (workspace !== null) entry.uses.add(workspace);
      if (alias !== undefined && alias !== name && isPackageName(ecosystem, alias)) entry.aliases.add(alias);
      if (folder !== undefined) entry.folders.add(folder);
    },
    skip(name, reason) {
      if (skipped.size === MAX_SKIPPED) return;
      const shown = cleanLine(name.slice(0, MAX_NAME_CHARS));
      skipped.set(`${reason} ${shown}`, { name: shown, reason });
    },
    result() {
      const packages = Array.from(found.values(), ({ name, version, uses, aliases, folders }) => ({
        ecosystem,
        name,
        version,
        isDirect: uses.size > 0,
        workspaces: [...uses].toSorted(),
        aliases: [...aliases].toSorted(),
        folders: [...folders].toSorted(),
      }));
      packages.sort((left, right) => compareText(left.name, right.name) || compareText(left.version, right.version));
      return { packages, skipped: [...skipped.values()].toSorted((left, right) => compareText(left.name, right.name)) };
    },
  };
  return list;
}

export function tooLarge(path: string, limit: string): PinakesError {
  return pinakesError('lockfile.too-large', { path, limit });
}

export function malformed(path: string, reason: string): PinakesError {
  return pinakesError('lockfile.malformed', { path, reason });
}

/** Own fields of an object, with their names; nothing for anything else. */
export function entriesOf(value: unknown): ReadonlyArray<readonly [string, unknown]> {
  return isRecord(value) ? Object.entries(value) : [];
}

/** A field that is a string; empty otherwise. Numbers are versions that a file did not quote. */
export function stringOf(value: unknown, name: string): string {
  const field = fieldOf(value, name);
  return typeof field === 'string' ? field : '';
}

/** A folder inside the project as lockfiles write it: relative, without `..`; null for any other. */
export function insideFolder(path: string): string | null {
  const parts = path
    .replace(/^\.\/+/, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  if (
    path.startsWith('/') ||
    path.includes('\\') ||
    path.includes('\0') ||
    /^[a-z]:/i.test(path) ||
    parts.includes('..')
  )
    return null;
  return parts.join('/');
}
