// The public entries of an npm package that have declarations, from `exports`, `typesVersions`, `types` and `main`, as
// TypeScript resolves them. A target outside the folder, or one that is not there, is left out.

import { isRecord } from '../../extract/data/json-fields.ts';

export interface EntryPoint {
  /** The specifier that a program imports, such as `hono/cors`. */
  readonly specifier: string;
  /** The declaration file. */
  readonly path: string;
}

/** TypeScript's conditions for an import, then for a require; the first that leads to declarations wins. */
const CONDITIONS: ReadonlyArray<ReadonlySet<string>> = [
  new Set(['types', 'import', 'node', 'module-sync', 'default']),
  new Set(['types', 'require', 'node', 'default']),
  new Set(['types', 'browser', 'module', 'import', 'default']),
];
const MAX_ENTRIES = 5000;
const MAX_CONDITION_DEPTH = 10;
/** Files that all patterns together are compared with. */
const MAX_COMPARISONS = 2_000_000;

interface Search {
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly paths: ReadonlySet<string>;
}

const NO_COPIES: ReadonlyMap<string, string> = new Map();

/**
 * In the order of the manifest, the main entry first; an entry whose file was found under another name is left out. A file that is a copy
 * stands for its original.
 */
export function entryPoints(
  name: string,
  fields: Readonly<Record<string, unknown>>,
  paths: ReadonlySet<string>,
  copies = NO_COPIES,
): readonly EntryPoint[] {
  const search: Search = { name: importedName(name), fields, paths };
  const candidates =
    fields['exports'] === undefined || fields['exports'] === null ? unlistedEntries(search) : exportedEntries(search);
  const byPath = new Map<string, EntryPoint>();
  for (const { specifier, path: found } of candidates) {
    const path = copies.get(found) ?? found;
    if (!byPath.has(path)) byPath.set(path, { specifier, path });
    if (byPath.size === MAX_ENTRIES) break;
  }
  return [...byPath.values()];
}

function exportedEntries(search: Search): EntryPoint[] {
  const { exports } = search.fields;
  const isMap = isRecord(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
  const subpaths: ReadonlyArray<readonly [string, unknown]> = isMap ? Object.entries(exports) : [['.', exports]];
  const plain = subpaths.filter(([subpath]) => !subpath.includes('*'));
  const patterns = subpaths.filter(([subpath]) => subpath.includes('*'));
  const blocked = patterns.filter(([, target]) => target === null).map(([subpath]) => subpath.split('*', 1)[0] ?? '');
  const entries = plain.flatMap(([subpath, target]) => {
    const path = declarationsOf(search, subpath, target);
    return path === null ? [] : [{ specifier: specifierOf(search, subpath), path }];
  });
  const main = entries.some(({ specifier }) => specifier === search.name) ? [] : mainOfTypes(search, isMap);
  return [...main, ...entries, ...patternEntries(search, patterns, blocked)];
}

/** A package whose main export has no declarations of its own may still name them in `types`. */
function mainOfTypes(search: Search, isMap: boolean): EntryPoint[] {
  const hasMain = !isMap || (isRecord(search.fields['exports']) && '.' in search.fields['exports']);
  const path = hasMain ? typesField(search) : null;
  return path === null ? [] : [{ specifier: search.name, path }];
}

function declarationsOf(search: Search, subpath: string, target: unknown): string | null {
  for (const conditions of CONDITIONS) {
    for (const path of targetsOf(target, conditions, 0)) {
      const found = declarationFile(search.paths, path);
      if (found !== null) return found;
    }
  }
  const bySubpath =
    search.fields['typesVersions'] === undefined || subpath === '.' ? null : versionedFile(search, subpath.slice(2));
  return bySubpath;
}

/** The targets of a value of `exports` under these conditions, in order. */
function targetsOf(target: unknown, conditions: ReadonlySet<string>, depth: number): string[] {
  if (typeof target === 'string') return [target];
  if (depth > MAX_CONDITION_DEPTH) return [];
  if (Array.isArray(target)) return target.flatMap((item) => targetsOf(item, conditions, depth + 1));
  if (!isRecord(target)) return [];
  return Object.entries(target).flatMap(([condition, value]) =>
    holds(condition, conditions) ? targetsOf(value, conditions, depth + 1) : [],
  );
}

function holds(condition: string, conditions: ReadonlySet<string>): boolean {
  const range = /^types@(.{1,100})$/.exec(condition)?.[1];
  return range === undefined ? conditions.has(condition) : matchesVersionRange(range);
}

function patternEntries(
  search: Search,
  patterns: ReadonlyArray<readonly [string, unknown]>,
  blocked: readonly string[],
): EntryPoint[] {
  const targets = patterns.flatMap(([subpath, target]) => {
    const unique = new Set(CONDITIONS.flatMap((conditions) => targetsOf(target, conditions, 0)));
    return [...unique].map((pattern) => ({ subpath, pattern }));
  });
  const affordable = Math.floor(MAX_COMPARISONS / Math.max(1, search.paths.size));
  const found = new Map<string, EntryPoint>();
  for (const { subpath, pattern } of targets.slice(0, affordable)) {
    const [prefix = '', suffix = '', ...more] = relativePath(pattern)?.split('*') ?? ['', '', ''];
    if (more.length > 0) continue;
    for (const path of search.paths) {
      const star = matchedStar(path, prefix, suffix);
      const key = star === null ? null : subpath.replace('*', () => star);
      const isBlocked = blocked.some((start) => key?.startsWith(start) === true && start.length > subpath.indexOf('*'));
      // The form for an import comes before that for a require.
      if (key !== null && !isBlocked && !found.has(key)) found.set(key, { specifier: specifierOf(search, key), path });
    }
  }
  return [...found.values()];
}

/** The value of `*` if the declarations of a target are in this file. */
function matchedStar(path: string, prefix: string, suffix: string): string | null {
  if (!path.startsWith(prefix) || !isDeclarationPath(path)) return null;
  const script = path.replace(/\.d\.([mc]?)ts$/, '.$1js');
  for (const target of [path, script]) {
    if (
      target.endsWith(suffix) &&
      target.length >= prefix.length + suffix.length &&
      (suffix !== '' || target === script)
    )
      return target.slice(prefix.length, target.length - suffix.length);
  }
  return null;
}

/** Without `exports` any file can be imported; public are the main entry, files at the root, and folders with a manifest. */
function unlistedEntries(search: Search): EntryPoint[] {
  const main = typesField(search) ?? declarationFile(search.paths, 'index.js');
  const entries: EntryPoint[] = main === null ? [] : [{ specifier: search.name, path: main }];
  for (const path of search.paths) {
    const folder = /^((?!dist\/|build\/|lib\/|compiled\/)[^/]+(?:\/[^/]+)?)\/package\.json$/.exec(path)?.[1];
    const isRoot = isDeclarationPath(path) && !path.includes('/');
    if (isRoot) entries.push({ specifier: specifierOf(search, `./${withoutExtension(path)}`), path });
    const inFolder = folder === undefined ? null : declarationFile(search.paths, `${folder}/index.js`);
    if (inFolder !== null) entries.push({ specifier: specifierOf(search, `./${folder}`), path: inFolder });
  }
  const versioned =
    search.fields['typesVersions'] === undefined ? entries : entries.map((entry) => versionedEntry(search, entry));
  return withoutDuplicates(versioned);
}

/** `index.d.cts` repeats the `index.d.ts` next to it. */
function withoutDuplicates(entries: readonly EntryPoint[]): EntryPoint[] {
  const stems = new Set<string>();
  return entries.filter(({ path }) => {
    const stem = withoutExtension(path);
    if (stems.has(stem)) return false;
    stems.add(stem);
    return true;
  });
}

function versionedEntry(search: Search, entry: EntryPoint): EntryPoint {
  const isMain = entry.specifier === search.name;
  const subpath = isMain ? withoutExtension(entry.path) : entry.specifier.slice(search.name.length + 1);
  const path = versionedFile(search, subpath);
  return path === null ? entry : { ...entry, path };
}

function typesField({ fields, paths }: Search): string | null {
  for (const field of ['types', 'typings', 'main', 'module']) {
    const value = fields[field];
    const path =
      typeof value === 'string' ? (declarationFile(paths, value) ?? declarationFile(paths, `${value}/index.js`)) : null;
    if (path !== null) return path;
  }
  return null;
}

/** The file of a subpath in the first range of `typesVersions` that a current compiler matches. */
function versionedFile({ fields, paths }: Search, subpath: string): string | null {
  const versions = fields['typesVersions'];
  if (!isRecord(versions)) return null;
  const [, mapping] = Object.entries(versions).find(([range]) => matchesVersionRange(range)) ?? [];
  return isRecord(mapping) ? mappedFile(mapping, paths, subpath) : null;
}

/** The first target of a key, or of a pattern with `*`, that has declarations. */
function mappedFile(
  mapping: Readonly<Record<string, unknown>>,
  paths: ReadonlySet<string>,
  subpath: string,
): string | null {
  for (const [pattern, target] of Object.entries(mapping)) {
    const [prefix = '', suffix] = pattern.split('*');
    const isMatch = suffix === undefined ? pattern === subpath : subpath.startsWith(prefix) && subpath.endsWith(suffix);
    const star = subpath.slice(prefix.length, subpath.length - (suffix?.length ?? 0));
    const targets = isMatch ? CONDITIONS.flatMap((conditions) => targetsOf(target, conditions, 0)) : [];
    const files = targets.map((path) => path.replace('*', () => star)).map((path) => declarationFile(paths, path));
    const found = files.find((file) => file !== null);
    if (found !== undefined) return found;
  }
  return null;
}

function specifierOf({ name }: Search, subpath: string): string {
  return subpath === '.' ? name : `${name}/${subpath.replace(/^\.\//, '')}`;
}

/** The name that a program imports: `@types/babel__core` has the types of `@babel/core`. */
export function importedName(name: string): string {
  if (!name.startsWith('@types/')) return name;
  const bare = name.slice('@types/'.length);
  return bare.includes('__') ? `@${bare.replace('__', '/')}` : bare;
}

/** The declarations of a script or of a path without an ending; null if there are none inside the folder. */
export function declarationFile(paths: ReadonlySet<string>, target: string): string | null {
  const path = relativePath(target);
  if (path === null) return null;
  if (isDeclarationPath(path)) return paths.has(path) ? path : null;
  const [, stem = path, kind] = /^(.*)\.([mc]?)[jt]sx?$/.exec(path) ?? [];
  const endings =
    kind === undefined ? ['.d.ts', '.d.mts', '.d.cts', '/index.d.ts', '/index.d.mts'] : [`.d.${kind}ts`, '.d.ts'];
  return endings.map((ending) => `${stem}${ending}`).find((file) => paths.has(file)) ?? null;
}

/** The declarations of `#name` by the field `imports` of the manifest. */
export function privateFile(imports: unknown, paths: ReadonlySet<string>, specifier: string): string | null {
  return isRecord(imports) ? mappedFile(imports, paths, specifier) : null;
}

/** Null if the path leaves the folder. */
function relativePath(target: string): string | null {
  const path = target.replace(/^\.\//, '');
  if (path.length > 1000 || /^[/\\]|^[a-z]+:|\\|\0/i.test(path)) return null;
  return path.split('/').includes('..') ? null : path;
}

export function isDeclarationPath(path: string): boolean {
  return /\.d\.[mc]?ts$/.test(path);
}

export function withoutExtension(path: string): string {
  return path.replace(/\.d\.[mc]?ts$/, '');
}

/** Declarations for older compilers are copies of those for newer ones. */
const COMPILER: readonly [number, number] = [7, 0];
const COMPARATOR = /^(<=|>=|<|>|=|\^|~)?v?(\d{1,6})(?:\.(\d{1,6}))?/;

/** `*`, or comparators such as `>=4.2` and `<5.4`; alternatives are separated by `||`. A range in any other form does not match. */
function matchesVersionRange(range: string): boolean {
  return range
    .slice(0, 200)
    .split('||')
    .some((alternative) => {
      const comparators = alternative
        .replaceAll(/([<>=^~])\s+/g, '$1')
        .split(/\s+/)
        .filter((part) => part !== '');
      return comparators.length > 0 && comparators.every(matchesComparator);
    });
}

function matchesComparator(comparator: string): boolean {
  if (comparator === '*') return true;
  const [, operator = '=', major, minor] = COMPARATOR.exec(comparator) ?? [];
  if (major === undefined) return false;
  const order = COMPILER[0] - Number(major) || COMPILER[1] - Number(minor ?? 0);
  switch (operator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    default:
      return COMPILER[0] === Number(major);
  }
}
