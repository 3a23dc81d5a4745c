// The types of one version as a program sees them: from a module and a name to members, results of calls and parameters.

import { callSignatures, valueType, type CallSignature } from './call-signature.ts';
import type { DocumentedApi, DocumentedSymbol } from './documented-api.ts';
import { definitionsIn, mainModule } from './definitions.ts';
import { allMembers, mainOf } from './symbol-diff.ts';
import { signatureParts } from './typescript-signature.ts';

/** A value of a type. */
export interface TypeView {
  readonly symbol: DocumentedSymbol;
  /** The class, function or variable itself, not what it makes. */
  readonly isValue: boolean;
}

/** The member itself, and whether its type can have more members than are known. */
export type MemberLookup =
  | { readonly kind: 'found'; readonly member: DocumentedSymbol }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unknown' };

export interface ApiView {
  /** What a module exports; `*` is the module itself. */
  exported(module: string, name: string): DocumentedSymbol | null;
  hasModule(module: string): boolean;
  member(view: TypeView, name: string): MemberLookup;
  /** The type of a property or variable. */
  typeOf(symbol: DocumentedSymbol, self: TypeView | null): TypeView | null;
  calls(symbol: DocumentedSymbol): readonly CallSignature[];
  /** A type as it is written, in the text of a symbol; null if it has no known members. */
  read(type: string, near: DocumentedSymbol, self: TypeView | null): TypeView | null;
  /** The types that have such a member. One of another major version counts only if the program imports its module. */
  ownersOf(name: string, modules: ReadonlySet<string>): readonly DocumentedSymbol[];
  /** Classes and interfaces that have all of these members. */
  typesWith(names: ReadonlySet<string>, modules: ReadonlySet<string>): readonly DocumentedSymbol[];
}

const MAX_TYPE_CHARS = 2000;
/** A module of a package that exports another major version, such as `zod/v3`. */
const OTHER_MAJOR = /\/v\d{1,3}(?:$|[/-])/;

interface Indexed {
  readonly api: DocumentedApi;
  readonly modules: ReadonlySet<string>;
  /** The types that have a member, by its name. */
  readonly owners: ReadonlyMap<string, readonly DocumentedSymbol[]>;
}

export function createApiView(api: DocumentedApi): ApiView {
  const indexed = indexedApi(api);
  return {
    exported(module, name) {
      const exports = definitionsIn(api.symbols.get(name));
      const found = exports.inModules([module]) ?? exports.withoutModule();
      return found === undefined ? null : mainOf(found, api);
    },
    hasModule: (module) => indexed.modules.size === 0 || hasModule(module, indexed.modules),
    member: (view, name) => memberIn(view, name, api),
    typeOf(symbol, self) {
      const type = valueType(symbol.signature);
      return type === null ? null : readType(type, symbol, self, api);
    },
    calls: (symbol) => callsOf(symbol, api),
    read: (type, from, self) => readType(type, from, self, api),
    ownersOf: (name, from) => ownersOf(name, from, indexed),
    typesWith(wanted, from) {
      const [first = '', ...rest] = wanted;
      const all = (indexed.owners.get(first) ?? []).filter(
        (one) =>
          /^(?:abstract )?(?:class|interface)\b/.test(one.signature) && rest.every((name) => one.members.has(name)),
      );
      const imported = all.filter((one) => one.modules.some((module) => from.has(module)));
      return imported.length > 0 ? imported : all;
    },
  };
}

/** Under its name, or in a folder that a package opens as a whole. */
function hasModule(module: string, modules: ReadonlySet<string>): boolean {
  if (modules.has(module)) return true;
  const folders = [...module.matchAll(/\//g)].map(({ index }) => `${module.slice(0, index)}/*`);
  return folders.some((folder) => modules.has(folder));
}

function indexedApi(api: DocumentedApi): Indexed {
  const all = [...api.symbols.values()].flat();
  const owners = new Map<string, DocumentedSymbol[]>();
  for (const one of [...all, ...[...api.hidden.values()].flat()])
    for (const name of one.members.keys()) {
      const own = owners.get(name);
      if (own === undefined) owners.set(name, [one]);
      else own.push(one);
    }
  return { api, modules: new Set([...all.flatMap((one) => one.modules), ...api.furtherModules]), owners };
}

function ownersOf(name: string, from: ReadonlySet<string>, { owners }: Indexed): readonly DocumentedSymbol[] {
  const isReachable = (module: string): boolean => from.has(module) || !OTHER_MAJOR.test(module);
  return (owners.get(name) ?? []).filter(({ modules }) => modules.length === 0 || modules.some(isReachable));
}

/** A member of the type or of one that it extends, or what a namespace exports. */
function memberIn({ symbol }: TypeView, name: string, api: DocumentedApi): MemberLookup {
  const inside = definitionsIn(api.symbols.get(`${symbol.symbol}.${name}`));
  const module = /^import .* from '([^']+)'$/.exec(symbol.signature)?.[1] ?? mainModule(symbol.modules);
  const alias = inside.onPage(symbol.path) ?? (module === null ? inside.any() : inside.inModules([module]));
  const { members, isOpen } = allMembers(symbol, api);
  const member = members.get(name) ?? (alias === undefined ? undefined : mainOf(alias, api));
  if (member !== undefined) return { kind: 'found', member };
  return isOpen ? { kind: 'unknown' } : { kind: 'missing' };
}

/** The calls of a symbol, or of the member that `typeof A.b` names. */
function callsOf(symbol: DocumentedSymbol, api: DocumentedApi): readonly CallSignature[] {
  const written = callSignatures(symbol.signature);
  if (written.length > 0) return written;
  const [, owner = '', name = ''] = /:\s*typeof\s+([\w$]+)\.([\w$]+);?$/.exec(symbol.signature) ?? [];
  const member = near(owner, symbol, api)?.members.get(name);
  return member === undefined ? [] : callSignatures(member.signature);
}

function readType(type: string, from: DocumentedSymbol, self: TypeView | null, api: DocumentedApi): TypeView | null {
  const text = plainType(type.slice(0, MAX_TYPE_CHARS));
  if (text === 'this') return self;
  if (text.startsWith('{')) return { symbol: anonymous(text, from), isValue: false };
  for (const part of branchesOf(text).flatMap((branch) => branch.split(/\s*[|&]\s*/))) {
    const [, qualified = '', name = ''] = /^((?:[\w$]+\.)*([\w$]+))(?:<.*>)?$/s.exec(part) ?? [];
    const found = name === '' ? undefined : (named(qualified, from, api) ?? near(name, from, api));
    if (found !== undefined) return aliased({ symbol: found, isValue: false }, api, 0);
  }
  return null;
}

/** Both results of a conditional type; otherwise the type itself. */
function branchesOf(type: string): readonly string[] {
  const [, results = ''] = /^[\w$.]{1,200} extends [^?]{1,200}\? (.*)$/s.exec(type) ?? [];
  let depth = 0;
  for (let at = 0; at < results.length; at += 1) {
    const char = results.charAt(at);
    if ('<({['.includes(char)) depth += 1;
    else if ('>)}]'.includes(char)) depth -= 1;
    else if (char === ':' && depth === 0) return [results.slice(0, at).trim(), results.slice(at + 1).trim()];
  }
  return [type];
}

const MAX_ALIASES = 4;

/** The type that an alias stands for, if it has no members itself. */
function aliased(found: TypeView, api: DocumentedApi, depth: number): TypeView {
  const { symbol } = found;
  const target = /^type [\w$]+(?:<.*>)? = ([\w$.]+)(?:<.*>)?;?$/s.exec(symbol.signature)?.[1];
  if (target === undefined || depth > MAX_ALIASES) return found;
  const next = near(target.slice(target.lastIndexOf('.') + 1), symbol, api);
  return next === undefined || next === symbol ? found : aliased({ symbol: next, isValue: false }, api, depth + 1);
}

/** A type by its whole name, also one inside a namespace that is merged with a class: it is a member of the class then. */
function named(qualified: string, from: DocumentedSymbol, api: DocumentedApi): DocumentedSymbol | undefined {
  const dot = qualified.lastIndexOf('.');
  const inside =
    dot === -1 ? undefined : near(qualified.slice(0, dot), from, api)?.members.get(qualified.slice(dot + 1));
  const isType = inside !== undefined && /^(?:abstract )?(?:interface|class|type)\b/.test(inside.signature);
  return isType ? inside : near(qualified, from, api);
}

/** On the same page first, then in the same module. */
function near(name: string, from: DocumentedSymbol, api: DocumentedApi): DocumentedSymbol | undefined {
  const [visible, hidden] = [definitionsIn(api.symbols.get(name)), definitionsIn(api.hidden.get(name))];
  const main = mainModule(from.modules);
  const modules = main === null ? [] : [main];
  const found =
    visible.onPage(from.path) ??
    hidden.onPage(from.path) ??
    visible.inModules(modules) ??
    hidden.inModules(modules) ??
    visible.any() ??
    hidden.any();
  return found === undefined ? undefined : mainOf(found, api);
}

/** A type without a name. */
function anonymous(text: string, from: DocumentedSymbol): DocumentedSymbol {
  const parts = signatureParts(`type Anonymous = ${text}`);
  const bare = { ...from, members: new Map<string, DocumentedSymbol>(), bases: [] };
  const members = parts.members.map(
    ({ name, signature }) => [name, { ...bare, symbol: `${from.symbol}.${name}`, signature }] as const,
  );
  return { ...from, members: new Map(members), bases: parts.bases, isOpen: parts.isOpen };
}

/** Without the promise around it, and without types that have no members. */
function plainType(type: string): string {
  const text = type.trim().replace(/;$/, '');
  const inner = /^(?:Promise|PromiseLike|Awaited|Readonly|Partial|Required|NonNullable)<(.*)>$/s.exec(text)?.[1];
  if (inner !== undefined) return plainType(inner);
  return text.replaceAll(
    /\s*\|\s*(?:undefined|null|void|string|number|boolean)\b|\b(?:undefined|null|string|number|boolean)\s*\|\s*/g,
    '',
  );
}
