// The values of a package's API in a program, in two versions at once.

import type { SyntaxNode } from '../chunk/code/grammar-loader.ts';
import type { ApiView, TypeView } from './api-view.ts';
import { takesArguments, type CallSignature } from './call-signature.ts';
import type { DocumentedSymbol } from './documented-api.ts';

/** What names of the program stand for, in one scope and the outer ones. */
export interface Bindings {
  /** Undefined for a name that no scope binds. */
  get(name: string): Value | null | undefined;
  set(name: string, value: Value | null): void;
}

/** A scope costs the names that it binds itself: a file may have as many blocks as names. */
export function createBindings(outer: Bindings | null = null): Bindings {
  let own: Map<string, Value | null> | null = null;
  return {
    get: (name) => (own?.has(name) === true ? own.get(name) : outer?.get(name)),
    set: (name, value) => void (own ??= new Map()).set(name, value),
  };
}

export interface ApiUse {
  readonly line: number;
  /** What is used, under its name in the older version. */
  readonly symbol: string;
  readonly reason: 'removed' | 'changed';
}

export interface UseFinder {
  readonly versions: ApiVersions;
  note(node: SyntaxNode, symbol: string, reason: ApiUse['reason']): void;
}

export interface ApiVersions {
  /** The name of the package in imports. */
  readonly packageName: string;
  readonly old: ApiView;
  readonly current: ApiView;
  /** The modules that the file imports. */
  readonly modules: Set<string>;
}

/** A declaration, and the type whose member it is. For a value whose type has a name, both are that type. */
export interface Seen {
  readonly symbol: DocumentedSymbol;
  readonly self: TypeView | null;
}

export type Value =
  | { readonly kind: 'module'; readonly module: string }
  /** `current` is null if the newer version does not tell its type. */
  | { readonly kind: 'known'; readonly old: Seen; readonly current: Seen | null }
  /** Something that the package made, of a type that is not known. */
  | { readonly kind: 'package' };

export type KnownValue = Extract<Value, { readonly kind: 'known' }>;

interface MemberValue {
  readonly value: Value | null;
  readonly isGone: boolean;
  readonly symbol: string;
}

const PACKAGE: Value = { kind: 'package' };

export function memberOf(of: Value, name: string, versions: ApiVersions): MemberValue {
  if (of.kind === 'module') return exportOf(of.module, name, versions);
  if (of.kind === 'package') return { value: PACKAGE, isGone: isGoneName(name, versions), symbol: name };
  const { old, current } = versions;
  const before = old.member(typeSeen(of.old, old), name);
  if (before.kind !== 'found')
    return { value: PACKAGE, isGone: before.kind === 'unknown' && isGoneName(name, versions), symbol: name };
  const { symbol } = before.member;
  const self = typeSeen(of.old, old);
  const value = (after: Seen | null): Value => ({
    kind: 'known',
    old: { symbol: before.member, self },
    current: after,
  });
  if (of.current === null) return { value: value(null), isGone: isGoneName(name, versions), symbol };
  const type = typeSeen(of.current, current);
  const after = current.member(type, name);
  if (after.kind === 'found') return { value: value({ symbol: after.member, self: type }), isGone: false, symbol };
  const isGone = after.kind === 'missing' || isGoneName(name, versions);
  return { value: isGone ? null : value(null), isGone: isGone && !OF_ALL.has(name), symbol };
}

/**
 * A key that the older version's type has. If the newer version does not tell its type, the key of a type with a name is gone, unless some
 * type has it.
 */
export function optionOf(of: Value, name: string, versions: ApiVersions): MemberValue | null {
  const { old, current, modules } = versions;
  if (of.kind !== 'known' || old.member(typeSeen(of.old, old), name).kind !== 'found') return null;
  const found = memberOf(of, name, versions);
  const isReported = of.current !== null && current.member(typeSeen(of.current, current), name).kind !== 'unknown';
  const isNamed = /^(?:interface|type|class)\b/.test(of.old.symbol.signature);
  const isLost = isNamed && !isReported && current.ownersOf(name, modules).length === 0;
  return { ...found, isGone: found.isGone || isLost };
}

/** Every function or object has them. */
const OF_ALL = new Set('call apply bind toString then catch finally length name constructor prototype'.split(' '));

export function exportOf(module: string, name: string, { old, current }: ApiVersions): MemberValue {
  const symbol = old.exported(module, name);
  if (symbol === null) return { value: PACKAGE, isGone: false, symbol: name };
  const after = current.exported(module, name) ?? current.exported(module, symbol.symbol);
  const value: Value = { kind: 'known', old: { symbol, self: null }, current: after && { symbol: after, self: null } };
  return { value: after === null ? null : value, isGone: after === null, symbol: symbol.symbol };
}

/** A type that both versions have lost such a member, and no type of the newer one has it. */
function isGoneName(name: string, { old, current, modules }: ApiVersions): boolean {
  if (OF_ALL.has(name) || current.ownersOf(name, modules).length > 0) return false;
  return old.ownersOf(name, modules).some(({ symbol, modules: own }) => {
    const after = own.map((module) => current.exported(module, symbol)).find((one) => one !== null);
    return after != null && current.member({ symbol: after, isValue: false }, name).kind === 'missing';
  });
}

/** The type of a property or variable; of anything else, what its declaration itself has as members. */
function typeSeen({ symbol, self }: Seen, api: ApiView): TypeView {
  if (self?.symbol === symbol) return self;
  return api.typeOf(symbol, self) ?? { symbol, isValue: true };
}

export function valueOf(before: TypeView | null, after: TypeView | null): Value {
  if (before === null) return PACKAGE;
  const current = after === null ? null : { symbol: after.symbol, self: after };
  return { kind: 'known', old: { symbol: before.symbol, self: before }, current };
}

export function callResult({ old, current }: KnownValue, count: number, versions: ApiVersions): Value {
  const resultIn = (seen: Seen, api: ApiView): TypeView | null => {
    const calls = api.calls(seen.symbol);
    const call = calls.find((one) => takesArguments(one, count)) ?? calls[0];
    return call === undefined ? null : api.read(call.returns, seen.symbol, seen.self);
  };
  return valueOf(resultIn(old, versions.old), current === null ? null : resultIn(current, versions.current));
}

/** What `new` makes; it is gone if the newer version has no class of that name. */
export function madeBy(
  { old, current }: KnownValue,
  versions: ApiVersions,
): { readonly value: Value | null; readonly isGone: boolean } {
  const isError = current !== null && /^(?:const|let|var) [\w$]+: \w*TypeError</.test(current.symbol.signature);
  if (isError && isClass(old)) return { value: null, isGone: true };
  const after = current === null ? null : instanceIn(current, versions.current);
  return { value: valueOf(instanceIn(old, versions.old), after), isGone: false };
}

function isClass({ symbol }: Seen): boolean {
  return /(?:^|\n)(?:abstract )?class\b/.test(symbol.signature);
}

function instanceIn(seen: Seen, api: ApiView): TypeView {
  const type = isClass(seen) ? null : api.typeOf(seen.symbol, null);
  return type ?? { symbol: seen.symbol, isValue: false };
}

/** The constructor of a class as a function; null if the older version shows none. */
export function constructorOf({ old, current }: KnownValue, versions: ApiVersions): KnownValue | null {
  const before = constructorIn(old, versions.old);
  if (before === null) return null;
  return { kind: 'known', old: before, current: current === null ? null : constructorIn(current, versions.current) };
}

function constructorIn({ symbol }: Seen, api: ApiView): Seen | null {
  const self = { symbol, isValue: true };
  const found = api.member(self, 'constructor');
  return found.kind === 'found' ? { symbol: found.member, self } : null;
}

/** The value of a variable with this annotation, if a type of the package is in it. */
export function seenType(
  annotation: SyntaxNode | null,
  scope: Bindings,
  finder: { readonly versions: ApiVersions },
): Value | null {
  if (annotation === null) return null;
  switch (annotation.type) {
    case 'type_annotation':
    case 'union_type':
    case 'generic_type': {
      const parts = annotation.namedChildren.map((part) => seenType(part, scope, finder));
      return parts.find((part) => part !== null) ?? null;
    }
    case 'nested_type_identifier': {
      const of = scope.get(fieldText(annotation, 'module')) ?? null;
      return of === null ? null : instanceOf(memberOf(of, fieldText(annotation, 'name'), finder.versions).value);
    }
    case 'type_identifier':
      return instanceOf(scope.get(annotation.text) ?? null);
    default:
      return null;
  }
}

function fieldText(node: SyntaxNode, field: string): string {
  return node.childForFieldName(field)?.text ?? '';
}

function instanceOf(value: Value | null): Value | null {
  if (value === null) return null;
  if (value.kind !== 'known') return PACKAGE;
  return valueOf(instanceView(value.old), value.current === null ? null : instanceView(value.current));
}

function instanceView({ symbol }: Seen): TypeView {
  return { symbol, isValue: false };
}

const LITERALS: ReadonlyMap<string, string> = new Map([
  ['string', 'string'],
  ['template_string', 'string'],
  ['number', 'number'],
  ['true', 'boolean'],
  ['false', 'boolean'],
  ['arrow_function', 'function'],
  ['function_expression', 'function'],
  ['object', 'object'],
  ['array', 'object'],
]);

/** Whether an argument can be of a parameter's type. Only literals and types that are written out are compared. */
export function accepts({ parameters }: CallSignature, nth: number, argument: SyntaxNode): boolean {
  const kind = LITERALS.get(argument.type);
  const type = parameters[nth]?.type ?? '';
  if (kind === undefined || type === '') return true;
  const parts = type.split('|').map((part) => part.trim());
  if (!parts.every((part) => /^(?:string|number|boolean|undefined|null|true|false|'[^']*'|"[^"]*"|-?\d+)$/.test(part)))
    return true;
  return parts.some((part) => kindOf(part) === kind);
}

function kindOf(part: string): string {
  if (/^['"]/.test(part)) return 'string';
  if (/^-?\d/.test(part)) return 'number';
  return part === 'true' || part === 'false' ? 'boolean' : part;
}
