// bun.lock: JSON with trailing commas. A package is an array whose first element is `name@version`; keys say where it is installed.

import { fieldOf, isRecord, listOf } from '../extract/data/json-fields.ts';
import { parseLargeJson } from '../text/parse-json.ts';
import {
  createPackageList,
  entriesOf,
  insideFolder,
  malformed,
  stringOf,
  type LockedPackages,
  type LockfileText,
} from './locked-package.ts';
import { NPM_DEPENDENCY_FIELDS } from './npm-lock.ts';

export function readBunLock({ path, text }: LockfileText): LockedPackages {
  const root = parseLargeJson(withoutTrailingCommas(text));
  const workspaces = fieldOf(root, 'workspaces');
  const packages = fieldOf(root, 'packages');
  if (!isRecord(workspaces) || !isRecord(packages)) throw malformed(path, 'it has no "workspaces" and "packages"');
  const list = createPackageList('npm', path);
  for (const [folder, workspace] of Object.entries(workspaces)) {
    const inside = insideFolder(folder);
    if (inside === null) {
      list.skip(folder, 'name');
      continue;
    }
    for (const field of NPM_DEPENDENCY_FIELDS)
      for (const [alias] of entriesOf(fieldOf(workspace, field)))
        add(alias, resolve(stringOf(workspace, 'name'), alias), inside);
  }
  for (const key of Object.keys(packages))
    add(key.slice(key.lastIndexOf('/', key.lastIndexOf('@') - 1) + 1), key, null);
  return list.result();

  /** A copy that only this workspace uses, or that of all. */
  function resolve(workspace: string, alias: string): string {
    const own = `${workspace}/${alias}`;
    return fieldOf(packages, own) === undefined ? alias : own;
  }

  function add(alias: string, key: string, workspace: string | null): void {
    const [first] = listOf(packages, key);
    if (typeof first !== 'string') return; // optional, for another platform
    const at = first.indexOf('@', 1);
    const [name, reference] = [first.slice(0, at === -1 ? undefined : at), first.slice(at + 1)];
    if (/^(?:workspace|link|file):/.test(reference)) return list.skip(name, 'local');
    list.add({ name, version: reference, workspace, ...(workspace !== null && { alias }) });
  }
}

/** Commas before a closing bracket, and comments, are dropped; strings stay. A string that does not end takes the rest of the text. */
function withoutTrailingCommas(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)|\/\/[^\n]*|,(?=\s*[\]}])/gs, (token) =>
    token.startsWith('"') ? token : '',
  );
}
