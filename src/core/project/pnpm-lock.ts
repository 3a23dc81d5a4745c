// pnpm-lock.yaml, formats 5 to 9: importers, which are the workspaces, and packages with their versions in their keys.

import { parseYaml } from '../extract/data/parse-yaml.ts';
import { fieldOf, isRecord } from '../extract/data/json-fields.ts';
import {
  createPackageList,
  entriesOf,
  insideFolder,
  malformed,
  stringOf,
  MAX_LOCKFILE_TOKENS,
  type LockedPackages,
  type LockfileText,
} from './locked-package.ts';

const FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

export function readPnpmLock({ path, text }: LockfileText): LockedPackages {
  const root = parseYaml(text, 'text', MAX_LOCKFILE_TOKENS);
  const format = Number.parseInt(stringOf(root, 'lockfileVersion'), 10);
  if (!isRecord(root) || !(format >= 5 && format <= 9)) throw malformed(path, 'it is not a lockfile of pnpm 6 to 10');
  const list = createPackageList('npm', path);
  const packages = fieldOf(root, 'packages');
  const importers = fieldOf(root, 'importers');
  for (const [folder, importer] of isRecord(importers) ? Object.entries(importers) : [['.', root] as const]) {
    const workspace = insideFolder(folder);
    if (workspace === null) list.skip(folder, 'name');
    else for (const used of FIELDS.flatMap((field) => entriesOf(fieldOf(importer, field)))) addUsed(used, workspace);
  }
  for (const [key, entry] of entriesOf(packages)) {
    const { name, version } = parseKey(key);
    list.add({ name, version: stringOf(entry, 'version') || version, workspace: null });
  }
  return list.result();

  function addUsed([alias, used]: readonly [string, unknown], workspace: string): void {
    const reference = typeof used === 'string' ? used : stringOf(used, 'version');
    if (/^(?:link|file|workspace):/.test(reference)) return list.skip(alias, 'local');
    if (/^v?\d/.test(reference)) return list.add({ name: alias, version: withoutPeers(reference), workspace });
    // Format 9 puts the name before the address of a package from Git.
    const keys = [reference, withoutPeers(reference), `${alias}@${reference}`];
    const key = keys.find((one) => fieldOf(packages, one) !== undefined) ?? reference;
    const entry = fieldOf(packages, key);
    const { name, version } = parseKey(key);
    list.add({
      name: stringOf(entry, 'name') || name || alias,
      version: stringOf(entry, 'version') || version,
      workspace,
      alias,
    });
  }

  /** `/@scope/name/1.2.3_peers` (5), `/@scope/name@1.2.3(peers)` (6) or `@scope/name@1.2.3` (9). */
  function parseKey(key: string): { readonly name: string; readonly version: string } {
    const bare = withoutPeers(key.replace(/^\//, ''));
    const at = format < 6 ? bare.lastIndexOf('/') : bare.indexOf('@', 1);
    return at <= 0 ? { name: bare, version: '' } : { name: bare.slice(0, at), version: bare.slice(at + 1) };
  }

  function withoutPeers(reference: string): string {
    const [bare = ''] = reference.split('(', 1);
    if (format >= 6) return bare;
    // The names of peers may contain slashes written as plus signs, and follow an underscore after the version.
    const version = bare.lastIndexOf('/') + 1;
    const peers = bare.indexOf('_', version);
    return peers === -1 ? bare : bare.slice(0, peers);
  }
}
