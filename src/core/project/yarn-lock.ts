// yarn.lock of Yarn 1, which has its own syntax and needs the manifests to tell direct dependencies, and of Yarn 2 and later, which is
// YAML and lists the workspaces.

import { parseYaml } from '../extract/data/parse-yaml.ts';
import { fieldOf, isRecord } from '../extract/data/json-fields.ts';
import {
  createPackageList,
  entriesOf,
  insideFolder,
  malformed,
  stringOf,
  tooLarge,
  MAX_ENTRIES,
  MAX_LOCKFILE_TOKENS,
  type LockedPackages,
  type LockfileText,
  type PackageList,
} from './locked-package.ts';
import { declaredDependencies } from './npm-manifests.ts';

export function readYarnLock(lockfile: LockfileText): LockedPackages {
  return /^__metadata:/m.test(lockfile.text) ? readBerryLock(lockfile) : readClassicLock(lockfile);
}

function readClassicLock({ path, text, manifests }: LockfileText): LockedPackages {
  if (!text.includes('# yarn lockfile v1')) throw malformed(path, 'it is not a lockfile of Yarn');
  const list = createPackageList('npm', path);
  const versions = classicEntries(text, path);
  const projects = declaredDependencies(manifests);
  const isKnown = projects.length > 0;
  for (const { workspace, dependencies } of projects) {
    for (const [alias, range] of dependencies) addClassic(list, `${alias}@${range}`, versions, workspace);
  }
  for (const key of versions.keys()) addClassic(list, key, versions, isKnown ? null : '');
  return list.result();
}

function addClassic(
  list: PackageList,
  key: string,
  versions: ReadonlyMap<string, string>,
  workspace: string | null,
): void {
  const version = versions.get(key);
  const { alias, name, isLocal } = parseDescriptor(key);
  if (isLocal || (version === undefined && workspace !== null)) return list.skip(alias, 'local');
  list.add({ name, version: version ?? '', workspace, alias });
}

/** `lodash@^4` is `lodash`; `old@npm:lodash@^3` is `lodash` under the alias `old`. */
function parseDescriptor(key: string): { readonly alias: string; readonly name: string; readonly isLocal: boolean } {
  const at = key.indexOf('@', 1);
  const [alias, range] = at === -1 ? [key, ''] : [key.slice(0, at), key.slice(at + 1)];
  const isLocal = /^(?:file|link|portal|workspace):/.test(range);
  const inner = range.startsWith('npm:') ? range.slice(4) : '';
  const end = inner.indexOf('@', 1);
  return { alias, name: end > 0 ? inner.slice(0, end) : alias, isLocal };
}

/** Descriptors with the version that they resolve to. */
function classicEntries(text: string, path: string): ReadonlyMap<string, string> {
  const versions = new Map<string, string>();
  let keys: readonly string[] = [];
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    if (!line.startsWith(' ')) keys = line.trimEnd().replace(/:$/, '').split(', ').map(unquote);
    else if (line.startsWith('  version ')) {
      for (const key of keys) versions.set(key, unquote(line.slice('  version '.length).trim()));
      if (versions.size > MAX_ENTRIES) throw tooLarge(path, `${MAX_ENTRIES} entries`);
      keys = [];
    }
  }
  return versions;
}

function unquote(text: string): string {
  return text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

function readBerryLock({ path, text }: LockfileText): LockedPackages {
  const root = parseYaml(text, 'text', MAX_LOCKFILE_TOKENS);
  if (!isRecord(root)) throw malformed(path, 'it is not valid YAML, or too large');
  const list = createPackageList('npm', path);
  const byDescriptor = new Map<string, unknown>();
  for (const [keys, entry] of Object.entries(root)) for (const key of keys.split(', ')) byDescriptor.set(key, entry);
  if (byDescriptor.size > MAX_ENTRIES) throw tooLarge(path, `${MAX_ENTRIES} entries`);
  for (const [key, entry] of Object.entries(root)) {
    if (key === '__metadata') continue;
    const resolution = stringOf(entry, 'resolution');
    const folder = /@workspace:(.*)$/.exec(resolution)?.[1];
    if (folder !== undefined) readWorkspace(folder, entry);
    else addBerry(entry, null);
  }
  return list.result();

  function readWorkspace(folder: string, entry: unknown): void {
    const workspace = insideFolder(folder);
    if (workspace === null) return list.skip(folder, 'name');
    for (const [alias, range] of entriesOf(fieldOf(entry, 'dependencies'))) {
      const used = byDescriptor.get(`${alias}@${String(range)}`) ?? byDescriptor.get(`${alias}@npm:${String(range)}`);
      if (used === undefined || /@workspace:/.test(stringOf(used, 'resolution'))) list.skip(alias, 'local');
      else addBerry(used, workspace, alias);
    }
  }

  function addBerry(entry: unknown, workspace: string | null, alias?: string): void {
    const resolution = stringOf(entry, 'resolution');
    const at = resolution.indexOf('@', 1);
    const name = at === -1 ? resolution : resolution.slice(0, at);
    const reference = resolution.slice(at + 1);
    if (/^(?:file|link|portal):/.test(reference)) return list.skip(name, 'local');
    list.add({ name, version: stringOf(entry, 'version'), workspace, ...(alias !== undefined && { alias }) });
  }
}
