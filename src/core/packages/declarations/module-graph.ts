// The declaration files of a package that its entries lead to, and which of them an import means. Files are read once each, within
// a limit for all together.

import { declarationFile, importedName, privateFile, type EntryPoint } from './entry-points.ts';
import type { DeclarationModule, ModuleScope } from './module-scope.ts';
import { scanModule } from './scan-module.ts';

/** A scope and the file that its text is in. */
export interface ScopeRef {
  readonly module: DeclarationModule;
  readonly scope: ModuleScope;
  /** The scope around a namespace. */
  readonly parent: ScopeRef | null;
  /** All blocks of a namespace that is declared in several, this one included. */
  readonly blocks?: readonly ModuleScope[];
}

export interface ModuleGraph {
  readonly modules: readonly DeclarationModule[];
  /** Modules that scripts of the package declare by name, and the scopes of each. */
  readonly ambient: ReadonlyMap<string, readonly ScopeRef[]>;
  readonly globals: readonly ScopeRef[];
  readonly notes: readonly string[];
  /** The scopes of a module that a file imports; none if it is not part of the package. */
  resolve(from: string, specifier: string): readonly ScopeRef[];
  /** The scopes of an entry. */
  refsOf(entry: EntryPoint): readonly ScopeRef[];
}

export interface GraphFiles {
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly paths: ReadonlySet<string>;
  /** Files that repeat others, which are read in their place. */
  readonly copies: ReadonlyMap<string, string>;
  readonly read: (path: string) => string | undefined;
}

export const MAX_DECLARATION_CHARS = 10_000_000;
const MAX_GRAPH_CHARS = 60_000_000;

export function createModuleGraph(files: GraphFiles, entries: readonly EntryPoint[]): ModuleGraph {
  const { modules, notes } = loadModules(files, entries);
  const ambient = new Map<string, ScopeRef[]>();
  const augmented = new Map<string, ScopeRef[]>();
  const entryPaths = new Map(entries.map(({ specifier, path }) => [specifier, path]));
  const ownName = importedName(files.name);
  const isOwn = (name: string): boolean => name === ownName || name.startsWith(`${ownName}/`);
  const globals: ScopeRef[] = [];
  const tops = new Map([...modules.values()].map((module) => [module, { module, scope: module.top, parent: null }]));
  /** One object for each file, so that refs can be compared. */
  const topRef = (module: DeclarationModule): ScopeRef =>
    tops.get(module) ?? { module, scope: module.top, parent: null };

  for (const module of modules.values()) {
    if (!module.isModule) globals.push(topRef(module));
    for (const { scope, outer } of module.globals) {
      const parent = outer === module.top ? topRef(module) : { module, scope: outer, parent: topRef(module) };
      globals.push({ module, scope, parent });
    }
    for (const [name, scopes] of module.ambient) {
      const refs = scopes.map((scope) => ({ module, scope, parent: topRef(module) }));
      addAmbient(module, name, refs);
    }
  }

  /** A script declares a module; a module adds to one that exists. */
  function addAmbient({ path, isModule }: DeclarationModule, name: string, refs: readonly ScopeRef[]): void {
    const isScript = !isModule && !name.startsWith('.');
    const target = isScript ? null : fileOf(path, name);
    const isDeclared = isOwn(name) || (isScript && files.name.startsWith('@types/'));
    if (target !== null) addTo(augmented, target, refs);
    else if (isDeclared) addTo(ambient, name, refs);
  }

  function fileOf(from: string, specifier: string): string | null {
    return moduleFile(files, entryPaths, from, specifier);
  }

  function refsOfFile(path: string): readonly ScopeRef[] {
    const module = modules.get(path);
    const own = module?.isModule === true ? [topRef(module)] : [];
    return [...own, ...(augmented.get(path) ?? [])];
  }

  return {
    modules: [...modules.values()],
    ambient,
    globals,
    notes,
    resolve(from, specifier) {
      const byName = ambient.get(specifier) ?? ambient.get(otherNodeName(specifier));
      if (byName !== undefined) return byName;
      const path = fileOf(from, specifier);
      return path === null ? [] : refsOfFile(path);
    },
    refsOf: ({ specifier, path }) => [...(ambient.get(specifier) ?? []), ...refsOfFile(path)],
  };
}

function addTo(list: Map<string, ScopeRef[]>, key: string, refs: readonly ScopeRef[]): void {
  const known = list.get(key) ?? [];
  list.set(key, known);
  known.push(...refs);
}

/** Reads the entries and everything that they import or reference inside the package. */
function loadModules(
  files: GraphFiles,
  entries: readonly EntryPoint[],
): { readonly modules: ReadonlyMap<string, DeclarationModule>; readonly notes: readonly string[] } {
  const modules = new Map<string, DeclarationModule>();
  const { read } = files;
  const notes: string[] = [];
  const entryPaths = new Map(entries.map(({ specifier, path }) => [specifier, path]));
  const queue = [...new Set(entries.map(({ path }) => path))];
  const queued = new Set(queue);
  let chars = 0;
  for (const path of queue) {
    const text = read(path);
    if (text === undefined) continue;
    if (text.length > MAX_DECLARATION_CHARS || chars + text.length > MAX_GRAPH_CHARS) {
      notes.push(`${path} was not read: its declarations are too long`);
      continue;
    }
    chars += text.length;
    const module = scanModule(path, text);
    modules.set(path, module);
    for (const specifier of importedModules(module)) {
      const file = moduleFile(files, entryPaths, path, specifier);
      if (file === null || queued.has(file)) continue;
      queued.add(file);
      queue.push(file);
    }
  }
  return { modules, notes };
}

function importedModules(module: DeclarationModule): Set<string> {
  const specifiers = new Set<string>(module.sideEffects);
  for (const reference of module.tokens.references) {
    const path = /\bpath\s*=\s*["']([^"']+)["']/.exec(reference)?.[1];
    if (path !== undefined) specifiers.add(path.startsWith('.') ? path : `./${path}`);
  }
  const scopes = [module.top, ...module.globals.map(({ scope }) => scope), ...[...module.ambient.values()].flat()];
  for (const { imports, exports, stars } of scopes) {
    for (const star of stars) specifiers.add(star);
    for (const { module: from } of [...imports.values(), ...exports.values()]) if (from !== null) specifiers.add(from);
  }
  return specifiers;
}

/** The file that a specifier means: relative to the importing file, or an entry of this package. */
function moduleFile(
  files: GraphFiles,
  entries: ReadonlyMap<string, string>,
  from: string,
  specifier: string,
): string | null {
  const relative = specifier.startsWith('.') ? joinPath(from, specifier) : null;
  const file = relative === null ? ownFile(files, entries, specifier) : declarationFile(files.paths, relative);
  return file === null ? null : (files.copies.get(file) ?? file);
}

/** The file of `#name`, or of a specifier that begins with the name of the package itself: an entry, or any file. */
function ownFile(
  { name, fields, paths }: GraphFiles,
  entries: ReadonlyMap<string, string>,
  specifier: string,
): string | null {
  if (specifier.startsWith('#')) return privateFile(fields['imports'], paths, specifier);
  const entry = entries.get(specifier);
  const ownName = importedName(name);
  if (entry !== undefined || !specifier.startsWith(`${ownName}/`)) return entry ?? null;
  return declarationFile(paths, specifier.slice(ownName.length + 1));
}

/** The path of a relative specifier in the file `from`; null if it leaves the folder. */
function joinPath(from: string, specifier: string): string | null {
  const segments = from.split('/').slice(0, -1);
  for (const segment of specifier.split('/')) {
    if (segment === '..') {
      if (segments.pop() === undefined) return null;
    } else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  const path = segments.join('/');
  return path === '' ? 'index' : path;
}

/** A module of Node is the same one with and without its prefix. */
function otherNodeName(specifier: string): string {
  return specifier.startsWith('node:') ? specifier.slice('node:'.length) : `node:${specifier}`;
}
