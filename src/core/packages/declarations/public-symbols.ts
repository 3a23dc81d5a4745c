// The public symbols of an npm package: what its entries export, what it declares by module name, and what it makes global.

import { importedName, type EntryPoint } from './entry-points.ts';
import type { ModuleGraph, ScopeRef } from './module-graph.ts';
import type { Declared } from './module-scope.ts';
import { dottedName } from './scan-statement.ts';
import { innerRefs, type ExportResolver, type NameMeaning } from './resolve-exports.ts';

/** Declarations of one name in one scope that programs can reach. */
export interface PublicDeclaration {
  readonly ref: ScopeRef;
  readonly declared: readonly Declared[];
  /** The names under which it is public, such as `ESLint.Options`, the first one best. */
  readonly names: Set<string>;
  /** The modules that export it; empty if it is global. */
  readonly specifiers: Set<string>;
  /** Whether it is the type of what a module exports as `export =`: its members can be imported by name. */
  hasExportedMembers: boolean;
  /** Public types extend it: it is shown although it is internal. */
  readonly isBase?: true;
}

/** A declaration that programs cannot name. */
export function unnamed({ ref, declared }: Pick<PublicDeclaration, 'ref' | 'declared'>): PublicDeclaration {
  return { ref, declared, names: new Set(), specifiers: new Set(), hasExportedMembers: false };
}

/** A name that an entry exports and another package declares. */
export interface ExternalExport {
  readonly specifier: string;
  /** `*` for all of a module's names. */
  readonly name: string;
  readonly module: string;
}

export interface PublicSymbols {
  readonly declarations: ReadonlyMap<readonly Declared[], PublicDeclaration>;
  readonly external: readonly ExternalExport[];
  readonly namespaces: readonly ExportedNamespace[];
}

/** A name for a whole module, such as `z` in `export * as z`. */
export interface ExportedNamespace {
  readonly specifier: string;
  readonly name: string;
  /** The file that exports it. */
  readonly from: string;
  /** The file of the module. */
  readonly path: string;
}

/** Namespaces inside exported namespaces. */
const MAX_DEPTH = 4;
const MAX_DECLARATIONS = 200_000;

interface Collection {
  readonly resolver: ExportResolver;
  readonly declarations: Map<readonly Declared[], PublicDeclaration>;
  readonly external: ExternalExport[];
  readonly namespaces: ExportedNamespace[];
}

export function publicSymbols(
  name: string,
  graph: ModuleGraph,
  resolver: ExportResolver,
  entries: readonly EntryPoint[],
): PublicSymbols {
  const collection: Collection = { resolver, declarations: new Map(), external: [], namespaces: [] };
  const done = new Set<object>();
  for (const entry of entries) {
    const refs = graph.refsOf(entry);
    for (const { scope } of refs) done.add(scope);
    collect(collection, refs, { specifier: entry.specifier, prefix: '', depth: 0, from: '' });
    markExportedMembers(collection, refs);
    for (const module of resolver.externalStars(refs))
      collection.external.push({ specifier: entry.specifier, name: '*', module });
  }
  const ownName = importedName(name);
  for (const [module, refs] of graph.ambient) {
    if (module.includes('*')) continue;
    const isOwn = module === ownName || module.startsWith(`${ownName}/`);
    const rest = refs.filter(({ scope }) => !done.has(scope));
    collect(collection, rest, {
      specifier: module,
      prefix: isOwn ? '' : `${module.replace(/^node:/, '')}.`,
      depth: 0,
      from: '',
    });
  }
  for (const ref of graph.globals) {
    for (const [global, declared] of ref.scope.declared) {
      addMeaning(
        collection,
        global,
        { kind: 'declared', ref, declared },
        { specifier: null, prefix: '', depth: 0, from: '' },
      );
    }
  }
  const { declarations, external, namespaces } = collection;
  return { declarations, external, namespaces };
}

interface Context {
  readonly specifier: string | null;
  readonly prefix: string;
  readonly depth: number;
  /** The file whose exports are collected. */
  readonly from: string;
}

function collect(collection: Collection, refs: readonly ScopeRef[], context: Context): void {
  const isAssigned = refs.some(({ scope }) => scope.exportAssigned !== null);
  for (const [name, meanings] of collection.resolver.exportsOf(refs)) {
    // The members of the target of `export =` are exported directly.
    const depth = isAssigned && name === 'default' ? MAX_DEPTH : context.depth;
    for (const meaning of meanings)
      addMeaning(collection, name, meaning, { ...context, depth, from: refs[0]?.module.path ?? context.from });
  }
}

function addMeaning(collection: Collection, exported: string, meaning: NameMeaning, context: Context): void {
  const { specifier, prefix, depth, from } = context;
  if (meaning.kind === 'external') {
    collection.external.push({ specifier: specifier ?? '', name: `${prefix}${exported}`, module: meaning.module });
    return;
  }
  const known = meaning.kind === 'declared' ? collection.declarations.get(meaning.declared) : undefined;
  const name = `${prefix}${publicName(exported, meaning)}`;
  if (meaning.kind === 'declared') addDeclaration(collection, name, meaning, specifier);
  else collection.namespaces.push({ specifier: specifier ?? '', name, from, path: meaning.refs[0]?.module.path ?? '' });
  const inner = innerRefs(meaning);
  const isNew = known === undefined || !known.names.has(name);
  if (inner.length === 0 || depth === MAX_DEPTH || !isNew) return;
  collect(collection, inner, { specifier, prefix: `${name}.`, depth: depth + 1, from });
}

/** `declare const _: _.LoDashStatic; export = _` exports the members of that type. */
function markExportedMembers({ resolver, declarations }: Collection, refs: readonly ScopeRef[]): void {
  for (const ref of refs) {
    const { exportAssigned } = ref.scope;
    const meanings = exportAssigned === null ? [] : resolver.resolveLocal(ref, exportAssigned);
    const types = meanings.flatMap((meaning) => {
      const type = meaning.kind === 'declared' ? variableType(meaning) : null;
      return type === null ? [] : (resolver.exportsOf(refs).get(type) ?? []);
    });
    for (const type of types) {
      const known = type.kind === 'declared' ? declarations.get(type.declared) : undefined;
      if (known !== undefined) known.hasExportedMembers = true;
    }
  }
}

/** The last name of the type of `const name: A.B`. */
function variableType({ ref, declared }: Extract<NameMeaning, { readonly kind: 'declared' }>): string | null {
  const { tokens } = ref.module;
  const variable = declared.find(({ kind }) => kind === 'variable');
  if (variable === undefined || !tokens.is(variable.from + 2, ':')) return null;
  return (
    dottedName(tokens, variable.from + 3)
      ?.split('.')
      .at(-1) ?? null
  );
}

/** A default export is known by the name of its declaration. */
function publicName(exported: string, meaning: NameMeaning): string {
  if (exported !== 'default' || meaning.kind !== 'declared') return exported;
  const own = meaning.declared[0]?.name ?? exported;
  return /^_+default/.test(own) ? exported : own;
}

function addDeclaration(
  { declarations }: Collection,
  name: string,
  { ref, declared }: Extract<NameMeaning, { readonly kind: 'declared' }>,
  specifier: string | null,
): void {
  const known = declarations.get(declared) ?? {
    ref,
    declared,
    names: new Set(),
    specifiers: new Set(),
    hasExportedMembers: false,
  };
  if (declarations.size >= MAX_DECLARATIONS) return;
  declarations.set(declared, known);
  known.names.add(name);
  if (specifier !== null) known.specifiers.add(specifier);
}
