// Which symbols of two versions are the same, and which members and signatures differ. A symbol is known by its name and by the modules
// that export it: the same name in another module is another symbol.

import { compareText } from '../text/compare-text.ts';
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
  const candidates = current.symbols.get(from.symbol) ?? [];
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
  candidates: readonly DocumentedSymbol[],
): DocumentedSymbol | null {
  const known = candidates.filter((candidate) => candidate.modules.length > 0);
  if (named.length === 0 || known.length === 0)
    return candidates.find((candidate) => candidate.path === path) ?? candidates[0] ?? null;
  const main = mainModule(modules);
  return known.find((candidate) => main !== null && candidate.modules.includes(main)) ?? null;
}

/** The same kind of declaration in the module that programs import from first. */
function movedTo(
  { signature }: DocumentedSymbol,
  candidates: readonly DocumentedSymbol[],
  current: DocumentedApi,
): DocumentedSymbol | null {
  const main = mainModule(candidates.flatMap(({ modules }) => modules));
  const found = candidates.find(({ modules }) => main !== null && modules.includes(main));
  const symbol = found === undefined ? null : mainOf(found, current);
  return symbol !== null && kindOf(symbol.signature) === kindOf(signature) ? symbol : null;
}

function kindOf(signature: string): string | null {
  return /\b(?:class|interface|type|function|const|enum|namespace)\b/.exec(signature)?.[0] ?? null;
}

function nearest(modules: readonly string[], candidates: readonly DocumentedSymbol[]): DocumentedSymbol | null {
  const sharing = candidates.find((candidate) => candidate.modules.some((module) => modules.includes(module)));
  return sharing ?? candidates[0] ?? null;
}

/** The module with the shortest name is the one that programs import from. */
export function mainModule(modules: readonly string[]): string | null {
  return modules.toSorted((left, right) => left.length - right.length || compareText(left, right))[0] ?? null;
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
  return symbols.get(symbol.aliasOf)?.find(({ path }) => path === symbol.path) ?? symbol;
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
  const [before, after] = [allMembers(from, old).unknown, allMembers(to, current).unknown];
  return !from.isOpen && !to.isOpen && [...after].every((base) => before.has(base));
}

/** An object or an error has them, whether its type shows them or not. */
const OF_ALL_OBJECTS = new Set('constructor toString valueOf hasOwnProperty message name stack cause'.split(' '));
const MAX_BASES = 50;

export interface AllMembers {
  readonly members: ReadonlyMap<string, DocumentedSymbol>;
  readonly isOpen: boolean;
  /** Base types that no page shows. */
  readonly unknown: ReadonlySet<string>;
}

/** With those of its base types. */
export function allMembers(symbol: DocumentedSymbol, api: DocumentedApi): AllMembers {
  const known = cachedMembers.get(symbol) ?? collectMembers(symbol, api);
  cachedMembers.set(symbol, known);
  return known;
}

/** A symbol belongs to one version. */
const cachedMembers = new WeakMap<DocumentedSymbol, AllMembers>();

function collectMembers(symbol: DocumentedSymbol, api: DocumentedApi): AllMembers {
  const members = new Map<string, DocumentedSymbol>();
  const unknown = new Set<string>();
  const seen = new Set<DocumentedSymbol>([symbol]);
  for (const one of seen) {
    for (const [name, member] of one.members) if (!members.has(name)) members.set(name, member);
    for (const base of one.bases) {
      const found = seen.size < MAX_BASES ? baseOf(base, one, seen, api) : null;
      if (found !== null) seen.add(found);
      else if (!BUILT_IN.has(base) && !isSeen(base, seen)) unknown.add(base);
    }
  }
  return { members, isOpen: unknown.size > 0 || [...seen].some(({ isOpen }) => isOpen), unknown };
}

/** The type of this name, on the same page first, then in the same module. */
function baseOf(
  base: string,
  of: DocumentedSymbol,
  seen: ReadonlySet<DocumentedSymbol>,
  api: DocumentedApi,
): DocumentedSymbol | null {
  const all = [...(api.symbols.get(base) ?? []), ...(api.hidden.get(base) ?? []), ...declaredAs(base, of, api)];
  const named = all.filter((candidate) => !seen.has(candidate));
  const found =
    named.find(({ path }) => path === of.path) ??
    named.find(({ modules }) => modules.some((module) => of.modules.includes(module))) ??
    named[0];
  return found === undefined ? null : mainOf(found, api);
}

/** `import { Hono as Hono$1 }`: a bundler numbers names that are taken, and the type may be exported under another name. */
function declaredAs(base: string, of: DocumentedSymbol, api: DocumentedApi): readonly DocumentedSymbol[] {
  const name = /^(.+)\$\d+$/.exec(base)?.[1];
  if (name === undefined) return [];
  const named = byDeclaredName.get(api) ?? Map.groupBy([...api.symbols.values()].flat(), declaredName);
  byDeclaredName.set(api, named);
  return (named.get(name) ?? []).filter(({ symbol, aliasOf }) => symbol !== of.symbol && aliasOf === null);
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
