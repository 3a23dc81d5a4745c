// Which symbols of two versions are the same, and which members and signatures differ. A symbol is known by its name and by the modules
// that export it: the same name in another module is another symbol.

import { definitionsIn, mainModule, type Definitions } from './definitions.ts';
import type { DocumentedApi, DocumentedSymbol } from './documented-api.ts';

export interface SymbolPair {
  readonly from: DocumentedSymbol;
  readonly to: DocumentedSymbol;
}

export interface GoneSymbol {
  readonly gone: DocumentedSymbol;
  /** The same name in another module. */
  readonly otherModule: DocumentedSymbol | null;
}

export interface SymbolDiff {
  /** Symbols and members that both versions have. */
  readonly pairs: readonly SymbolPair[];
  readonly gone: readonly GoneSymbol[];
  /** Members whose type still exists. */
  readonly goneMembers: ReadonlyArray<{ readonly gone: DocumentedSymbol; readonly owner: SymbolPair }>;
  /** Modules that nothing is imported from any more, with the symbols that were. */
  readonly goneModules: ReadonlyArray<{ readonly module: string; readonly symbols: readonly DocumentedSymbol[] }>;
}

export function symbolDiff(old: DocumentedApi, current: DocumentedApi): SymbolDiff {
  const known = modulesOf(current);
  const goneModules = [...modulesOf(old)].filter(([module]) => known.size > 0 && !known.has(module));
  const isGone = new Set(goneModules.map(([module]) => module));
  const pairs: SymbolPair[] = [];
  const gone: GoneSymbol[] = [];
  for (const from of mainSymbols(old)) {
    const modules = from.modules.filter((module) => !isGone.has(module));
    const found = matchSymbol(from, modules, current);
    pairs.push(...found.pairs);
    gone.push(...found.gone);
  }
  const members = pairs.map((pair) => memberDiff(pair, old, current));
  return {
    pairs: [...pairs, ...members.flatMap((found) => found.pairs)],
    gone,
    goneMembers: members.flatMap((found) => found.gone),
    goneModules: goneModules.map(([module, symbols]) => ({ module, symbols })),
  };
}

type SymbolMatch = Pick<SymbolDiff, 'pairs' | 'gone'>;

const NO_MATCH: SymbolMatch = { pairs: [], gone: [] };

/** `modules` are those of the symbol that the newer version still has. */
function matchSymbol(from: DocumentedSymbol, modules: readonly string[], current: DocumentedApi): SymbolMatch {
  const candidates = definitionsIn(current.symbols.get(from.symbol));
  const to = counterpart(from, modules, candidates);
  // A global name and an export may be the same by chance.
  const isOther = to !== null && from.modules.length === 0 && to.modules.length > 0 && to.path !== from.path;
  if (isOther) return NO_MATCH;
  if (to !== null) return { pairs: [{ from, to: mainOf(to, current) }], gone: [] };
  if (from.modules.length === 0 || modules.length > 0)
    return { pairs: [], gone: [{ gone: from, otherModule: nearest(modules, candidates) }] };
  // The entry of its module says that it is gone from there.
  const moved = movedTo(from, candidates, current);
  return moved === null ? NO_MATCH : { pairs: [{ from, to: moved }], gone: [{ gone: from, otherModule: moved }] };
}

/** The definitions themselves; one that several files repeat for the same modules counts once. */
function mainSymbols({ symbols }: DocumentedApi): readonly DocumentedSymbol[] {
  return [...symbols.values()].flatMap((defined) => {
    const byModule = new Map(
      defined.filter(({ aliasOf }) => aliasOf === null).map((one) => [mainModule(one.modules) ?? '', one] as const),
    );
    return [...byModule.values()];
  });
}

/** Where programs import it from; a definition without modules is found by its name, on the same page first. */
function counterpart(
  { path, modules: named }: DocumentedSymbol,
  modules: readonly string[],
  candidates: Definitions,
): DocumentedSymbol | null {
  if (named.length === 0 || candidates.mainModule === null) return candidates.onPage(path) ?? candidates.any() ?? null;
  const main = mainModule(modules);
  return main === null ? null : (candidates.inModules([main]) ?? null);
}

/** The same kind of declaration in the module that programs import from first. */
function movedTo(
  { signature }: DocumentedSymbol,
  candidates: Definitions,
  current: DocumentedApi,
): DocumentedSymbol | null {
  const main = candidates.mainModule;
  const found = main === null ? undefined : candidates.inModules([main]);
  const symbol = found === undefined ? null : mainOf(found, current);
  return symbol !== null && kindOf(symbol.signature) === kindOf(signature) ? symbol : null;
}

function kindOf(signature: string): string | null {
  return /\b(?:class|interface|type|function|const|enum|namespace)\b/.exec(signature)?.[0] ?? null;
}

function nearest(modules: readonly string[], candidates: Definitions): DocumentedSymbol | null {
  return candidates.inModules(modules) ?? candidates.any() ?? null;
}

function modulesOf({ symbols, furtherModules }: DocumentedApi): ReadonlyMap<string, readonly DocumentedSymbol[]> {
  const modules = new Map<string, DocumentedSymbol[]>(furtherModules.map((module) => [module, []]));
  for (const one of [...symbols.values()].flat())
    for (const module of one.aliasOf === null ? one.modules : []) {
      const named = modules.get(module);
      if (named === undefined) modules.set(module, [one]);
      else named.push(one);
    }
  return modules;
}

/** The symbol that a further name stands for. */
export function mainOf(symbol: DocumentedSymbol, { symbols }: DocumentedApi): DocumentedSymbol {
  if (symbol.aliasOf === null) return symbol;
  return definitionsIn(symbols.get(symbol.aliasOf)).onPage(symbol.path) ?? symbol;
}

function memberDiff(owner: SymbolPair, old: DocumentedApi, current: DocumentedApi) {
  const pairs: SymbolPair[] = [];
  const missing: DocumentedSymbol[] = [];
  const { members, isOpen } = allMembers(owner.to, current);
  for (const [name, from] of owner.from.members) {
    const to = members.get(name);
    if (to === undefined && !OF_ALL_OBJECTS.has(name)) missing.push(from);
    else if (to !== undefined) pairs.push({ from, to: { ...to, symbol: from.symbol } });
  }
  // A base type that no page shows may have them.
  const isKnown = !isOpen || hasSameUnknownBases(owner, old, current);
  return { pairs, gone: isKnown ? missing.map((gone) => ({ gone, owner })) : [] };
}

function hasSameUnknownBases({ from, to }: SymbolPair, old: DocumentedApi, current: DocumentedApi): boolean {
  const [before, after] = [allMembers(from, old), allMembers(to, current)];
  return !from.isOpen && !to.isOpen && after.isWhole && [...after.unknown].every((base) => before.unknown.has(base));
}

/** An object or an error has them, whether its type shows them or not. */
const OF_ALL_OBJECTS = new Set('constructor toString valueOf hasOwnProperty message name stack cause'.split(' '));
const MAX_BASES = 50;

export interface AllMembers {
  readonly members: ReadonlyMap<string, DocumentedSymbol>;
  readonly isOpen: boolean;
  /** Base types that no page shows. */
  readonly unknown: ReadonlySet<string>;
  /** False if its base types were not read, because those of other types took all the steps. */
  readonly isWhole: boolean;
}

/** Members and base types that are collected for the types of one version: each may inherit the same ten thousand members. */
const MAX_STEPS = 2_000_000;
const stepsTaken = new WeakMap<DocumentedApi, number>();

/** With those of its base types. */
export function allMembers(symbol: DocumentedSymbol, api: DocumentedApi): AllMembers {
  const known = cachedMembers.get(symbol) ?? collectMembers(symbol, api);
  cachedMembers.set(symbol, known);
  return known;
}

/** A symbol belongs to one version. */
const cachedMembers = new WeakMap<DocumentedSymbol, AllMembers>();

function collectMembers(symbol: DocumentedSymbol, api: DocumentedApi): AllMembers {
  let steps = stepsTaken.get(api) ?? 0;
  const members = new Map<string, DocumentedSymbol>();
  const unknown = new Set<string>();
  const seen = new Set<DocumentedSymbol>([symbol]);
  for (const one of seen) {
    steps += one.members.size + one.bases.length;
    stepsTaken.set(api, steps);
    if (steps > MAX_STEPS) return { members: symbol.members, isOpen: true, unknown: new Set(), isWhole: false };
    for (const [name, member] of one.members) if (!members.has(name)) members.set(name, member);
    for (const base of one.bases) {
      const found = seen.size < MAX_BASES ? baseOf(base, one, seen, api) : null;
      if (found !== null) seen.add(found);
      else if (!BUILT_IN.has(base) && !isSeen(base, seen)) unknown.add(base);
    }
  }
  return { members, isOpen: unknown.size > 0 || [...seen].some(({ isOpen }) => isOpen), unknown, isWhole: true };
}

/** The type of this name, on the same page first, then in the same module. */
function baseOf(
  base: string,
  of: DocumentedSymbol,
  seen: ReadonlySet<DocumentedSymbol>,
  api: DocumentedApi,
): DocumentedSymbol | null {
  const named = [api.symbols.get(base), api.hidden.get(base), declaredAs(base, of, api)].map(definitionsIn);
  const first = (find: (one: Definitions) => DocumentedSymbol | undefined): DocumentedSymbol | undefined =>
    named.map(find).find((one) => one !== undefined);
  const found =
    first((one) => one.onPage(of.path, seen)) ??
    first((one) => one.inModules(of.modules, seen)) ??
    first((one) => one.any(seen));
  return found === undefined ? null : mainOf(found, api);
}

/** `import { Hono as Hono$1 }`: a bundler numbers names that are taken, and the type may be exported under another name. */
function declaredAs(base: string, of: DocumentedSymbol, api: DocumentedApi): readonly DocumentedSymbol[] | undefined {
  const name = /^(.+)\$\d+$/.exec(base)?.[1];
  if (name === undefined) return undefined;
  const named = byDeclaredName.get(api) ?? mainByDeclaredName(api);
  byDeclaredName.set(api, named);
  const own = named.get(name) ?? [];
  return own.slice(0, MAX_DECLARED).filter(({ symbol }) => symbol !== of.symbol);
}

/** Types with one declared name that are looked at. */
const MAX_DECLARED = 20;

function mainByDeclaredName({ symbols }: DocumentedApi): ReadonlyMap<string, readonly DocumentedSymbol[]> {
  const main = [...symbols.values()].flat().filter(({ aliasOf }) => aliasOf === null);
  return Map.groupBy(main, declaredName);
}

const byDeclaredName = new WeakMap<DocumentedApi, ReadonlyMap<string, readonly DocumentedSymbol[]>>();

function declaredName({ signature }: DocumentedSymbol): string {
  return /^(?:abstract )?(?:class|interface) ([\w$]+)/.exec(signature)?.[1] ?? '';
}

function isSeen(base: string, seen: ReadonlySet<DocumentedSymbol>): boolean {
  return [...seen].some(({ symbol }) => symbol === base);
}

/** Types of the language: what they have does not belong to a package. */
const BUILT_IN = new Set(
  'Error TypeError Array Map Set Promise PromiseLike Iterable AsyncIterable string number boolean unknown object never null undefined'.split(
    ' ',
  ),
);
