// Which declarations the exported names of a module mean, through re-exports inside the package.

import type { Declared, ModuleScope, NameOrigin } from './module-scope.ts';
import type { ModuleGraph, ScopeRef } from './module-graph.ts';

/** The meaning of a name: declarations of one scope, a whole module, or a name of another package. */
export type NameMeaning =
  | { readonly kind: 'declared'; readonly ref: ScopeRef; readonly declared: readonly Declared[] }
  | { readonly kind: 'module'; readonly refs: readonly ScopeRef[] }
  | { readonly kind: 'external'; readonly module: string; readonly name: string };

export interface ExportResolver {
  /** The exported names of a module, in the order of its text, with what each means. */
  exportsOf(refs: readonly ScopeRef[]): ReadonlyMap<string, readonly NameMeaning[]>;
  /** The meaning of a name inside a scope. */
  resolveLocal(ref: ScopeRef, name: string): readonly NameMeaning[];
  /** The modules of other packages that are exported as a whole. */
  externalStars(refs: readonly ScopeRef[]): ReadonlySet<string>;
}

/** Re-exports of re-exports; a longer chain is a cycle or a trap. */
const MAX_CHAIN = 60;
/** Limit for one package: a hostile one may chain thousands of files. */
const MAX_STEPS = 500_000;

export function createExportResolver(graph: Pick<ModuleGraph, 'resolve' | 'globals'>): ExportResolver {
  const state: Resolution = { graph, resolved: new Map(), steps: 0 };
  return {
    exportsOf: (refs) => exportsOf(state, refs),
    resolveLocal: (ref, name) => resolveName(state, ref, name, 0),
    externalStars(refs) {
      const external = new Set<string>();
      starClosure(state, refs, external);
      return external;
    },
  };
}

interface Resolution {
  readonly graph: Pick<ModuleGraph, 'resolve' | 'globals'>;
  readonly resolved: Map<ModuleScope, Map<string, readonly NameMeaning[]>>;
  steps: number;
}

function canGoOn(state: Resolution, chain: number): boolean {
  state.steps += 1;
  return chain <= MAX_CHAIN && state.steps <= MAX_STEPS;
}

function exportsOf(state: Resolution, refs: readonly ScopeRef[]): Map<string, NameMeaning[]> {
  const found = new Map<string, NameMeaning[]>();
  for (const [level, group] of starClosure(state, refs, null).entries()) {
    const before = new Set(found.keys());
    if (level > 0) before.add('default');
    for (const ref of group) addExports(state, ref, before, found);
  }
  return found;
}

/** Adds what a scope itself exports, except names that a nearer scope has. */
function addExports(
  state: Resolution,
  ref: ScopeRef,
  before: ReadonlySet<string>,
  found: Map<string, NameMeaning[]>,
): void {
  for (const name of exportedNames(state, ref, 0)) {
    const meanings = before.has(name) ? [] : resolveExport(state, ref, name, 0);
    if (meanings.length === 0) continue;
    const list = found.get(name) ?? [];
    found.set(name, list);
    list.push(...meanings.filter((meaning) => !list.some((known) => isSame(known, meaning))));
  }
}

/** The scopes of a module, then those that it exports as a whole, by distance. */
function starClosure(
  state: Resolution,
  refs: readonly ScopeRef[],
  external: Set<string> | null,
): ReadonlyArray<readonly ScopeRef[]> {
  const seen = new Set<object>();
  const levels: Array<readonly ScopeRef[]> = [];
  let level = refs;
  while (level.length > 0) {
    const group = level.filter(({ scope }) => !seen.has(scope));
    for (const { scope } of group) seen.add(scope);
    if (group.length === 0 || !canGoOn(state, 0)) break;
    levels.push(group);
    level = group.flatMap(({ module, scope }) =>
      scope.stars.flatMap((star) => {
        state.steps += 1;
        const next = state.graph.resolve(module.path, star);
        if (next.length === 0) external?.add(star);
        return next;
      }),
    );
  }
  return levels;
}

/** The names that a scope itself exports. */
function exportedNames(state: Resolution, ref: ScopeRef, chain: number): ReadonlySet<string> {
  const { scope } = ref;
  const names = new Set([...scope.exports.keys(), ...scope.exportedNames]);
  const implicit = scope.hasExportDeclaration ? [] : [...scope.declared.keys()].filter((name) => name !== 'default');
  for (const name of implicit) names.add(name);
  for (const inner of assignedScopes(state, ref, chain)) {
    for (const name of exportedNames(state, inner, chain + 1)) names.add(name);
  }
  if (scope.exportAssigned !== null) names.add('default');
  return names;
}

/** The namespaces behind `export = name`. */
function assignedScopes(state: Resolution, ref: ScopeRef, chain: number): readonly ScopeRef[] {
  const { exportAssigned } = ref.scope;
  if (exportAssigned === null || !canGoOn(state, chain)) return [];
  return resolveName(state, ref, exportAssigned, chain + 1).flatMap((meaning) => innerRefs(meaning));
}

/** Each name of each scope is resolved once; while that is under way, it adds nothing to itself. */
function resolveExport(state: Resolution, ref: ScopeRef, name: string, chain: number): readonly NameMeaning[] {
  const known = state.resolved.get(ref.scope) ?? new Map<string, readonly NameMeaning[]>();
  state.resolved.set(ref.scope, known);
  const before = known.get(name);
  if (before !== undefined) return before;
  known.set(name, []);
  const meanings = resolveOwnExport(state, ref, name, chain);
  known.set(name, meanings);
  return meanings;
}

function resolveOwnExport(state: Resolution, ref: ScopeRef, name: string, chain: number): readonly NameMeaning[] {
  if (!canGoOn(state, chain)) return [];
  const { scope } = ref;
  const origin = scope.exports.get(name);
  if (origin !== undefined) return followOrigin(state, ref, origin, chain + 1);
  const declared = scope.declared.get(name);
  const isExported = scope.exportedNames.has(name) || !scope.hasExportDeclaration;
  if (declared !== undefined && isExported) return [{ kind: 'declared', ref, declared }];
  if (scope.exportAssigned !== null && name === 'default')
    return resolveName(state, ref, scope.exportAssigned, chain + 1);
  return assignedScopes(state, ref, chain).flatMap((inner) => resolveExport(state, inner, name, chain + 1));
}

function findExport(state: Resolution, refs: readonly ScopeRef[], name: string, chain: number): readonly NameMeaning[] {
  for (const group of starClosure(state, refs, null)) {
    const meanings = group.flatMap((ref) => resolveExport(state, ref, name, chain + 1));
    if (meanings.length > 0) return meanings;
  }
  return [];
}

function followOrigin(
  state: Resolution,
  ref: ScopeRef,
  { module, name }: NameOrigin,
  chain: number,
): readonly NameMeaning[] {
  if (!canGoOn(state, chain)) return [];
  if (module === null) return resolveName(state, ref, name, chain);
  const refs = state.graph.resolve(ref.module.path, module);
  if (refs.length === 0) return [{ kind: 'external', module, name }];
  if (name === '*') return [{ kind: 'module', refs }];
  if (name === 'export=') return assignedOrModule(state, refs, chain);
  const found = findExport(state, refs, name, chain);
  if (found.length > 0 || name !== 'default') return found;
  return assignedOrModule(state, refs, chain);
}

function assignedOrModule(state: Resolution, refs: readonly ScopeRef[], chain: number): readonly NameMeaning[] {
  const assigned = refs.flatMap((ref) =>
    ref.scope.exportAssigned === null ? [] : resolveName(state, ref, ref.scope.exportAssigned, chain + 1),
  );
  return assigned.length > 0 ? assigned : [{ kind: 'module', refs }];
}

/** A name such as `A.B` as a scope sees it: its own, imported, of the scopes around it, or global. */
function resolveName(state: Resolution, ref: ScopeRef, dotted: string, chain: number): readonly NameMeaning[] {
  if (!canGoOn(state, chain)) return [];
  const [first = '', ...rest] = dotted.split('.');
  let meanings: readonly NameMeaning[] = [];
  for (let at: ScopeRef | null = ref; at !== null && meanings.length === 0; at = at.parent)
    meanings = ownMeanings(state, at, first, chain);
  if (meanings.length === 0) meanings = globalMeanings(state, first);
  for (const part of rest) {
    meanings = meanings.flatMap((meaning) => findExport(state, innerRefs(meaning), part, chain + 1));
  }
  return meanings;
}

/** The declarations and imports of a scope, or of another block of the same namespace. */
function ownMeanings(state: Resolution, at: ScopeRef, name: string, chain: number): readonly NameMeaning[] {
  return (at.blocks ?? [at.scope]).flatMap((scope): readonly NameMeaning[] => {
    const ref = { ...at, scope };
    const declared = scope.declared.get(name);
    const imported = scope.imports.get(name);
    if (declared !== undefined) return [{ kind: 'declared', ref, declared }];
    return imported === undefined ? [] : followOrigin(state, ref, imported, chain + 1);
  });
}

function globalMeanings({ graph }: Resolution, name: string): readonly NameMeaning[] {
  return graph.globals.flatMap((ref) => {
    const declared = ref.scope.declared.get(name);
    return declared === undefined ? [] : [{ kind: 'declared', ref, declared }];
  });
}

function isSame(left: NameMeaning, right: NameMeaning): boolean {
  if (left.kind === 'declared') return right.kind === 'declared' && left.declared === right.declared;
  return (
    left.kind === right.kind &&
    left.kind === 'module' &&
    right.kind === 'module' &&
    left.refs[0]?.scope === right.refs[0]?.scope
  );
}

/** The scopes inside what a name means: those of namespaces, or of a module. */
export function innerRefs(meaning: NameMeaning): readonly ScopeRef[] {
  if (meaning.kind === 'module') return meaning.refs;
  if (meaning.kind === 'external') return [];
  const { ref, declared } = meaning;
  const blocks = declared.flatMap(({ scope }) => (scope === null ? [] : [scope]));
  return blocks.map((scope) => ({ module: ref.module, scope, parent: ref, blocks }));
}
