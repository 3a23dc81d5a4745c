// The types of one version as a program sees them: from a module and a name to members, results of calls and parameters.

import { callSignatures, valueType, type CallSignature } from './call-signature.ts';
import type { DocumentedApi, DocumentedSymbol } from './documented-api.ts';
import { allMembers, mainModule } from './symbol-diff.ts';
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

export function createApiView(api: DocumentedApi): ApiView {
  const modules = new Set([...api.symbols.values()].flat().flatMap((one) => one.modules));
  const names = new Map<string, DocumentedSymbol[]>();
  for (const one of [...api.symbols.values(), ...api.hidden.values()].flat())
    for (const name of one.members.keys()) {
      const owners = names.get(name) ?? [];
      owners.push(one);
      names.set(name, owners);
    }

  const view: ApiView = {
    exported(module, name) {
      const found = (api.symbols.get(name) ?? []).find(
        (one) => one.modules.includes(module) || one.modules.length === 0,
      );
      return found === undefined ? null : mainOf(found);
    },
    hasModule: (module) => modules.size === 0 || modules.has(module),
    member({ symbol }, name) {
      const inside = api.symbols.get(`${symbol.symbol}.${name}`) ?? [];
      const module = /^import .* from '([^']+)'$/.exec(symbol.signature)?.[1] ?? mainModule(symbol.modules);
      const alias =
        inside.find(({ path }) => path === symbol.path) ??
        inside.find(({ modules: own }) => module !== null && own.includes(module)) ??
        (module === null ? inside[0] : undefined);
      const { members, isOpen } = allMembers(symbol, api);
      const member = members.get(name) ?? (alias === undefined ? undefined : mainOf(alias));
      if (member !== undefined) return { kind: 'found', member };
      return isOpen ? { kind: 'unknown' } : { kind: 'missing' };
    },
    typeOf(symbol, self) {
      const type = valueType(symbol.signature);
      return type === null ? null : view.read(type, symbol, self);
    },
    calls(symbol) {
      const written = callSignatures(symbol.signature);
      if (written.length > 0) return written;
      const [, owner, name] = /:\s*typeof\s+([\w$]+)\.([\w$]+);?$/.exec(symbol.signature) ?? [];
      const target = owner === undefined ? undefined : near(owner, symbol);
      const member = target?.members.get(name ?? '');
      return member === undefined ? [] : callSignatures(member.signature);
    },
    read(type, from, self) {
      const text = plainType(type.slice(0, MAX_TYPE_CHARS));
      if (text === 'this') return self;
      if (text.startsWith('{')) return { symbol: anonymous(text, from), isValue: false };
      for (const part of text.split(/\s*[|&]\s*/)) {
        const name = /^(?:[\w$]+\.)*([\w$]+)(?:<.*>)?$/s.exec(part)?.[1];
        const found = name === undefined ? undefined : near(name, from);
        if (found !== undefined) return aliased({ symbol: found, isValue: false }, 0);
      }
      return null;
    },
    ownersOf: (name, from) =>
      (names.get(name) ?? []).filter(
        (one) =>
          one.modules.length === 0 || one.modules.some((module) => from.has(module) || !OTHER_MAJOR.test(module)),
      ),
    typesWith(wanted, from) {
      const [first = '', ...rest] = wanted;
      const all = (names.get(first) ?? []).filter(
        (one) =>
          /^(?:abstract )?(?:class|interface)\b/.test(one.signature) && rest.every((name) => one.members.has(name)),
      );
      const near = all.filter((one) => one.modules.some((module) => from.has(module)));
      return near.length > 0 ? near : all;
    },
  };

  /** The type that an alias stands for, if it has no members of its own. */
  function aliased(found: TypeView, depth: number): TypeView {
    const { symbol } = found;
    const target = /^type [\w$]+(?:<.*>)? = ([\w$.]+)(?:<.*>)?;?$/s.exec(symbol.signature)?.[1];
    const next =
      target === undefined || depth > 4 ? undefined : near(target.slice(target.lastIndexOf('.') + 1), symbol);
    return next === undefined || next === symbol ? found : aliased({ symbol: next, isValue: false }, depth + 1);
  }

  function near(name: string, from: DocumentedSymbol): DocumentedSymbol | undefined {
    const all = [...(api.symbols.get(name) ?? []), ...(api.hidden.get(name) ?? [])];
    const main = mainModule(from.modules);
    const found =
      all.find(({ path }) => path === from.path) ??
      all.find((one) => main !== null && one.modules.includes(main)) ??
      all[0];
    return found === undefined ? undefined : mainOf(found);
  }

  function mainOf(symbol: DocumentedSymbol): DocumentedSymbol {
    if (symbol.aliasOf === null) return symbol;
    return api.symbols.get(symbol.aliasOf)?.find(({ path }) => path === symbol.path) ?? symbol;
  }

  function anonymous(text: string, from: DocumentedSymbol): DocumentedSymbol {
    const parts = signatureParts(`type Anonymous = ${text}`);
    const member = (name: string, signature: string): DocumentedSymbol => ({
      ...from,
      symbol: `${from.symbol}.${name}`,
      signature,
      members: new Map(),
      bases: [],
    });
    const members = new Map(parts.members.map(({ name, signature }) => [name, member(name, signature)]));
    return { ...from, members, bases: parts.bases, isOpen: parts.isOpen };
  }
  return view;
}

/** Without the promise around it, and without what is no object. */
function plainType(type: string): string {
  const text = type.trim().replace(/;$/, '');
  const inner = /^(?:Promise|PromiseLike|Awaited|Readonly|Partial|Required|NonNullable)<(.*)>$/s.exec(text)?.[1];
  if (inner !== undefined) return plainType(inner);
  return text.replaceAll(
    /\s*\|\s*(?:undefined|null|void|string|number|boolean)\b|\b(?:undefined|null|string|number|boolean)\s*\|\s*/g,
    '',
  );
}
