// Cargo.lock, Gemfile.lock and composer.lock.

import { fieldOf, isRecord, listOf } from '../extract/data/json-fields.ts';
import { parseLargeJson } from '../text/parse-json.ts';
import {
  createPackageList,
  entriesOf,
  malformed,
  stringOf,
  type LockedPackages,
  type LockfileText,
} from './locked-package.ts';
import { parseToml } from './parse-toml.ts';

/** Packages without a source are the members of the workspace; what they depend on is direct. */
export function readCargoLock({ path, text }: LockfileText): LockedPackages {
  const packages = fieldOf(parseToml(text), 'package');
  if (!Array.isArray(packages)) throw malformed(path, 'it has no [[package]]');
  const list = createPackageList('cargo', path);
  const entries = packages.map((entry: unknown) => ({
    name: stringOf(entry, 'name'),
    version: stringOf(entry, 'version'),
    isMember: fieldOf(entry, 'source') === undefined,
    uses: listOf(entry, 'dependencies').filter((used) => typeof used === 'string'),
  }));
  const byName = new Map<string, (typeof entries)[number]>();
  const byVersion = new Map<string, (typeof entries)[number]>();
  for (const entry of entries.toReversed()) {
    byName.set(entry.name, entry);
    byVersion.set(`${entry.name} ${entry.version}`, entry);
  }
  for (const { name, version, isMember, uses } of entries) {
    if (!isMember) list.add({ name, version, workspace: null });
    else for (const used of uses) addUsed(used, name);
  }
  return list.result();

  /** `name`, `name version` or `name version (source)`, as much as is needed to distinguish packages. */
  function addUsed(used: string, workspace: string): void {
    const [name = '', stated] = used.split(' ');
    const entry = stated === undefined ? byName.get(name) : byVersion.get(`${name} ${stated}`);
    if (entry === undefined || entry.isMember) list.skip(name, 'local');
    else list.add({ name, version: entry.version, workspace });
  }
}

/** Sections of indented lines. Gems below PATH are the project’s own. */
export function readGemfileLock({ path, text }: LockfileText): LockedPackages {
  const list = createPackageList('gem', path);
  const lines = [...sectionLines(text)];
  if (lines.length === 0) throw malformed(path, 'it has no section such as GEM');
  const dependencies = lines.filter(({ section }) => section === 'DEPENDENCIES');
  const direct = new Set(dependencies.map(({ line }) => /^ {2}([^\s!]+)/.exec(line)?.[1]));
  for (const { section, line } of lines) {
    // Deeper lines are the requirements of a gem.
    const [, name, version] = /^ {4}(\S+) \(([^)]+)\)$/.exec(line) ?? [];
    if (name === undefined || version === undefined) continue;
    if (section === 'PATH') list.skip(name, 'local');
    // A platform follows a hyphen: 1.15.0-x86_64-linux.
    else list.add({ name, version: version.replace(/-.*$/, ''), workspace: direct.has(name) ? '' : null });
  }
  return list.result();
}

function* sectionLines(text: string): Generator<{ readonly section: string; readonly line: string }> {
  let section = '';
  for (const line of text.split('\n').map((one) => one.trimEnd())) {
    if (/^[A-Z]/.test(line)) section = line;
    else if (section !== '') yield { section, line };
  }
}

/** composer.json lists the direct packages. */
export function readComposerLock({ path, text, manifests }: LockfileText): LockedPackages {
  const root = parseLargeJson(text);
  if (!isRecord(root) || !Array.isArray(fieldOf(root, 'packages'))) throw malformed(path, 'it has no "packages"');
  const list = createPackageList('composer', path);
  const manifest = parseLargeJson(manifests.get('composer.json') ?? '');
  const declared = ['require', 'require-dev'].flatMap((field) => entriesOf(fieldOf(manifest, field)));
  const direct = new Set(declared.map(([name]) => name.toLowerCase()));
  for (const entry of [...listOf(root, 'packages'), ...listOf(root, 'packages-dev')]) {
    const name = stringOf(entry, 'name').toLowerCase();
    const isDirect = !isRecord(manifest) || direct.has(name);
    list.add({ name, version: stringOf(entry, 'version').replace(/^v(?=\d)/, ''), workspace: isDirect ? '' : null });
  }
  return list.result();
}
