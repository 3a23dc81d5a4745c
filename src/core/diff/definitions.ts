// One of several definitions with the same name. A package may have any number of them, so they are looked up, and not read one by one.

import { compareText } from '../text/compare-text.ts';
import type { DocumentedSymbol } from './documented-api.ts';

/** Definitions with one name; each lookup returns the first that is not excluded. */
export interface Definitions {
  any(excluded?: ReadonlySet<DocumentedSymbol>): DocumentedSymbol | undefined;
  onPage(path: string, excluded?: ReadonlySet<DocumentedSymbol>): DocumentedSymbol | undefined;
  /** One that is imported from a module among these. */
  inModules(modules: readonly string[], excluded?: ReadonlySet<DocumentedSymbol>): DocumentedSymbol | undefined;
  /** One that no module exports. */
  withoutModule(): DocumentedSymbol | undefined;
  /** The module that programs import from first; null if none exports it. */
  readonly mainModule: string | null;
}

/** The module with the shortest name is the one that programs import from. */
export function mainModule(modules: readonly string[]): string | null {
  let main: string | null = null;
  for (const module of modules) if (main === null || compareModules(module, main) < 0) main = module;
  return main;
}

function compareModules(left: string, right: string): number {
  return left.length - right.length || compareText(left, right);
}

/** `named` is a list of a `DocumentedApi`, which never changes. */
export function definitionsIn(named: readonly DocumentedSymbol[] | undefined): Definitions {
  if (named === undefined) return NONE;
  const definitions = known.get(named) ?? indexed(named);
  known.set(named, definitions);
  return definitions;
}

const known = new WeakMap<readonly DocumentedSymbol[], Definitions>();

function indexed(named: readonly DocumentedSymbol[]): Definitions {
  const order = new Map(named.map((one, at) => [one, at]));
  const byPage = Map.groupBy(named, ({ path }) => path);
  const byModule = new Map<string, DocumentedSymbol[]>();
  for (const one of named)
    for (const module of one.modules) {
      const own = byModule.get(module);
      if (own === undefined) byModule.set(module, [one]);
      else own.push(one);
    }
  const plain = named.find(({ modules }) => modules.length === 0);
  return {
    any: (excluded) => firstOf(named, excluded),
    onPage: (path, excluded) => firstOf(byPage.get(path), excluded),
    inModules(modules, excluded) {
      const found = modules.flatMap((module) => firstOf(byModule.get(module), excluded) ?? []);
      return found.toSorted((left, right) => (order.get(left) ?? 0) - (order.get(right) ?? 0))[0];
    },
    withoutModule: () => plain,
    mainModule: mainModule([...byModule.keys()]),
  };
}

function firstOf(
  all: readonly DocumentedSymbol[] = [],
  excluded?: ReadonlySet<DocumentedSymbol>,
): DocumentedSymbol | undefined {
  return excluded === undefined ? all[0] : all.find((one) => !excluded.has(one));
}

const NONE: Definitions = {
  any: () => undefined,
  onPage: () => undefined,
  inModules: () => undefined,
  withoutModule: () => undefined,
  mainModule: null,
};
