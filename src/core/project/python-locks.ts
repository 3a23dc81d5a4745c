// uv.lock, poetry.lock, Pipfile.lock and pinned requirements.txt. Names are normalised according to PEP 503.

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
import { parseToml } from './parse-toml.ts';

/** PEP 503: `Foo_Bar.baz` and `foo-bar-baz` are one project. */
export function pythonName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}

export function readUvLock({ path, text }: LockfileText): LockedPackages {
  const packages = fieldOf(parseToml(text), 'package');
  if (!Array.isArray(packages)) throw malformed(path, 'it has no [[package]]');
  const list = createPackageList('pypi', path);
  const versions = new Map<string, string>();
  const projects = new Map<string, unknown>();
  for (const entry of packages) {
    const name = pythonName(stringOf(entry, 'name'));
    if (projectFolder(entry) !== null) projects.set(name, entry);
    else {
      versions.set(name, stringOf(entry, 'version'));
      list.add({ name, version: stringOf(entry, 'version'), workspace: null });
    }
  }
  for (const [project, entry] of projects) {
    const workspace = insideFolder(projectFolder(entry) ?? '');
    if (workspace === null) {
      list.skip(project, 'name');
      continue;
    }
    for (const used of projectDependencies(entry)) {
      const name = pythonName(stringOf(used, 'name'));
      if (projects.has(name)) list.skip(name, 'local');
      // The version is stated where several are locked.
      else list.add({ name, version: stringOf(used, 'version') || (versions.get(name) ?? ''), workspace });
    }
  }
  return list.result();
}

/** Where a package of the workspace itself is; null for one from an index or from Git. */
function projectFolder(entry: unknown): string | null {
  const source = fieldOf(entry, 'source');
  for (const kind of ['virtual', 'editable', 'directory']) {
    const folder = fieldOf(source, kind);
    if (typeof folder === 'string') return folder;
  }
  return null;
}

function projectDependencies(entry: unknown): readonly unknown[] {
  const groups = ['optional-dependencies', 'dev-dependencies'].flatMap((field) => entriesOf(fieldOf(entry, field)));
  return [...listOf(entry, 'dependencies'), ...groups.flatMap(([, group]) => (Array.isArray(group) ? group : []))];
}

export function readPoetryLock({ path, text, manifests }: LockfileText): LockedPackages {
  const packages = fieldOf(parseToml(text), 'package');
  if (!Array.isArray(packages)) throw malformed(path, 'it has no [[package]]');
  const list = createPackageList('pypi', path);
  const direct = pyprojectDependencies(manifests.get('pyproject.toml'));
  for (const entry of packages) {
    const name = pythonName(stringOf(entry, 'name'));
    if (stringOf(fieldOf(entry, 'source'), 'type') === 'directory') list.skip(name, 'local');
    else list.add({ name, version: stringOf(entry, 'version'), workspace: direct?.has(name) === false ? null : '' });
  }
  return list.result();
}

/** Direct dependencies; null without a manifest. */
function pyprojectDependencies(text: string | undefined): ReadonlySet<string> | null {
  const root = text === undefined ? undefined : parseToml(text);
  if (root === undefined) return null;
  const project = fieldOf(root, 'project');
  const poetry = fieldOf(fieldOf(root, 'tool'), 'poetry');
  const tables = [
    fieldOf(poetry, 'dependencies'),
    fieldOf(poetry, 'dev-dependencies'),
    ...entriesOf(fieldOf(poetry, 'group')).map(([, group]) => fieldOf(group, 'dependencies')),
  ];
  const lists = [
    fieldOf(project, 'dependencies'),
    ...entriesOf(fieldOf(project, 'optional-dependencies')).map(([, list]) => list),
    ...entriesOf(fieldOf(root, 'dependency-groups')).map(([, list]) => list),
  ];
  const stated = lists
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map((item) => (typeof item === 'string' ? item : ''));
  return new Set([
    ...tables.flatMap((table) => entriesOf(table).map(([name]) => pythonName(name))),
    ...stated.map((requirement) => pythonName(/^[\w.-]+/.exec(requirement)?.[0] ?? '')),
  ]);
}

export function readPipfileLock({ path, text, manifests }: LockfileText): LockedPackages {
  const root = parseLargeJson(text);
  if (!isRecord(fieldOf(root, 'default'))) throw malformed(path, 'it has no "default"');
  const list = createPackageList('pypi', path);
  const pipfile = parseToml(manifests.get('Pipfile') ?? '');
  const declared = ['packages', 'dev-packages'].flatMap((field) => entriesOf(fieldOf(pipfile, field)));
  const direct = new Set(declared.map(([name]) => pythonName(name)));
  for (const [stated, entry] of ['default', 'develop'].flatMap((field) => entriesOf(fieldOf(root, field)))) {
    const name = pythonName(stated);
    const version = stringOf(entry, 'version');
    const isDirect = !manifests.has('Pipfile') || direct.has(name);
    if (version.startsWith('==')) list.add({ name, version: version.slice(2).trim(), workspace: isDirect ? '' : null });
    else list.skip(name, fieldOf(entry, 'path') === undefined ? 'unpinned' : 'local');
  }
  return list.result();
}

const REQUIREMENT = /^([\w.-]+)\s*(?:\[[^\]]*\])?\s*(?:===?\s*([^\s;#,]+))?/;

/** `name==version`; pip-compile and uv say in a comment which packages are direct. */
export function readRequirements({ path, text }: LockfileText): LockedPackages {
  const list = createPackageList('pypi', path);
  const lines = text.replaceAll(/\\\r?\n/g, ' ').split('\n');
  const isCompiled = lines.some((line) => /^\s*# via\b/.test(line) || /\s# via\b/.test(line));
  for (const [at, line] of lines.entries()) {
    const requirement = line.trim();
    if (requirement === '' || requirement.startsWith('#') || requirement.startsWith('-')) continue;
    const [, name = '', version] = REQUIREMENT.exec(requirement) ?? [];
    if (name === '') continue;
    if (version === undefined) list.skip(name, 'unpinned');
    else
      list.add({
        name: pythonName(name),
        version,
        workspace: isCompiled && !isDirectRequirement(lines, at) ? null : '',
      });
  }
  return list.result();
}

const MAX_VIA_LINES = 500;

/** Whether the comment of a compiled requirement names a file: `# via -r requirements.in` or `# via project (pyproject.toml)`. */
function isDirectRequirement(lines: readonly string[], at: number): boolean {
  const own = /#(.*)$/.exec(lines[at] ?? '')?.[1] ?? '';
  let comment = own;
  for (let next = at + 1; next <= at + MAX_VIA_LINES; next += 1) {
    const line = /^\s+#(.*)$/.exec(lines[next] ?? '')?.[1];
    if (line === undefined) break;
    comment += ` ${line}`;
  }
  // From the last bracket before a file only: a run of brackets must not be read once for each of them.
  return /(?:^|\s)-r\s|\([^()]*\.(?:toml|in|txt|cfg|py)\)/.test(comment);
}
