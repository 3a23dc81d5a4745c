// Where a program uses what a newer version of a package no longer has: imports, members, options and calls. The types of expressions are
// followed in both versions at once, as far as declarations name them; a value of the package whose type is not known is judged by the
// names that no type of the newer version has.

import type { SyntaxNode } from '../chunk/code/grammar-loader.ts';
import type { TypeView } from './api-view.ts';
import { bindPattern, callback, functionScope, importBindings } from './used-bindings.ts';
import {
  accepts,
  callResult,
  constructorOf,
  madeBy,
  memberOf,
  optionOf,
  seenType,
  valueOf,
  type ApiUse,
  type ApiVersions,
  type Bindings,
  type KnownValue,
  type Seen,
  type UseFinder,
  type Value,
} from './used-values.ts';
import { takesArguments } from './call-signature.ts';

const MAX_DEPTH = 400;
const MAX_USES = 2000;

/** The uses in a file, in the order of its lines; none if it does not import the package. */
export function usedApi(root: SyntaxNode, text: string, versions: Omit<ApiVersions, 'modules'>): readonly ApiUse[] {
  const uses = new Map<string, ApiUse>();
  const lineOf = lineFinder(text);
  const finder: UseFinder = {
    versions: { ...versions, modules: new Set() },
    note(node, symbol, reason) {
      const line = lineOf(node.startIndex);
      if (uses.size < MAX_USES) uses.set(`${line} ${symbol}`, { line, symbol, reason });
    },
  };
  const imports = importBindings(root, finder);
  if (imports === null) return [];
  visit(root, imports, finder, 0);
  return [...uses.values()].toSorted((left, right) => left.line - right.line);
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

/** Visits a statement or an expression; returns the value of an expression. */
function visit(node: SyntaxNode, scope: Bindings, finder: UseFinder, depth: number): Value | null {
  if (depth > MAX_DEPTH) return null;
  const go = (child: SyntaxNode | null): Value | null =>
    child === null ? null : visit(child, scope, finder, depth + 1);
  switch (node.type) {
    case 'import_statement':
      return null;
    case 'identifier':
      return scope.get(node.text) ?? null;
    case 'variable_declarator':
      return declare(node, scope, finder, depth);
    case 'member_expression': {
      const property = node.childForFieldName('property');
      return property === null ? null : readMember(go(node.childForFieldName('object')), property, finder);
    }
    case 'nested_type_identifier': {
      const name = node.childForFieldName('name');
      const value = scope.get(node.childForFieldName('module')?.text ?? '') ?? null;
      return name === null ? null : readMember(value, name, finder);
    }
    case 'call_expression':
    case 'new_expression':
      return visitCall(node, scope, finder, depth);
    case 'await_expression':
    case 'parenthesized_expression':
    case 'non_null_expression':
    case 'satisfies_expression':
      return node.namedChildren.map(go)[0] ?? null;
    case 'as_expression':
      return seenType(node.namedChildren.map(go).length > 1 ? (node.namedChildren[1] ?? null) : null, scope, finder);
    case 'subscript_expression':
      return node.namedChildren.map(go)[0] === null ? null : { kind: 'package' };
    case 'arrow_function':
    case 'function_expression':
    case 'function_declaration':
    case 'method_definition':
      visitFunction(node, scope, finder, depth, []);
      return null;
    case 'statement_block':
    case 'class_body': {
      const inner: Bindings = new Map(scope);
      for (const child of node.namedChildren) visit(child, inner, finder, depth + 1);
      return null;
    }
    default:
      for (const child of node.namedChildren) go(child);
      return null;
  }
}

function declare(node: SyntaxNode, scope: Bindings, finder: UseFinder, depth: number): null {
  const [name, type, value] = ['name', 'type', 'value'].map((field) => node.childForFieldName(field));
  if (type != null) visit(type, scope, finder, depth + 1);
  const annotated = seenType(type ?? null, scope, finder);
  const made = value == null ? null : visit(value, scope, finder, depth + 1);
  if (annotated !== null && value?.type === 'object') checkOptions(value, annotated, finder);
  if (name != null) bindPattern(name, annotated ?? made, scope, (of, property) => readMember(of, property, finder));
  return null;
}

function visitFunction(
  node: SyntaxNode,
  scope: Bindings,
  finder: UseFinder,
  depth: number,
  types: ReadonlyArray<Value | null>,
): void {
  const inner = functionScope(node, scope, types, finder, (of, property) => readMember(of, property, finder));
  for (const child of node.namedChildren) visit(child, inner, finder, depth + 1);
}

/** The value of a property, which is noted if the newer version does not have it. */
function readMember(of: Value | null, property: SyntaxNode, finder: UseFinder): Value | null {
  if (of === null) return null;
  const name = property.text;
  const { value, isGone, symbol } = memberOf(of, name, finder.versions);
  if (isGone) finder.note(property, symbol, 'removed');
  return value;
}

function visitCall(node: SyntaxNode, scope: Bindings, finder: UseFinder, depth: number): Value | null {
  const isNew = node.type === 'new_expression';
  const callee = node.childForFieldName(isNew ? 'constructor' : 'function');
  const called = callee === null ? null : visit(callee, scope, finder, depth + 1);
  const types = node.childForFieldName('type_arguments');
  if (types !== null) visit(types, scope, finder, depth + 1);
  const args = (node.childForFieldName('arguments')?.namedChildren ?? []).filter(({ type }) => type !== 'comment');
  for (const [nth, argument] of args.entries()) {
    if (FUNCTIONS.has(argument.type))
      visitFunction(argument, scope, finder, depth + 1, called === null ? [] : callback(called, nth, argument, finder));
    else visit(argument, scope, finder, depth + 1);
  }
  if (called === null || callee === null) return null;
  const named = callee.childForFieldName('property') ?? callee;
  if (called.kind === 'known') {
    const made = isNew ? madeBy(called, finder.versions) : null;
    if (made !== null && made.isGone) finder.note(named, called.old.symbol.symbol, 'changed');
    const invoked = isNew ? constructorOf(called, finder.versions) : called;
    if (invoked !== null) {
      checkArguments(invoked, named, args, finder);
      checkObjects(invoked, args, finder);
    }
    return made === null ? callResult(called, args.length, finder.versions) : made.value;
  }
  return { kind: 'package' };
}

const FUNCTIONS = new Set(['arrow_function', 'function_expression']);

/** Notes a call that fitted a signature of the older version and fits none of the newer one. */
function checkArguments(
  { old, current }: KnownValue,
  named: SyntaxNode,
  args: readonly SyntaxNode[],
  { versions, note }: UseFinder,
): void {
  if (current === null || args.some(({ type }) => type === 'spread_element')) return;
  const [before, after] = [versions.old.calls(old.symbol), versions.current.calls(current.symbol)];
  if (before.length === 0 || after.length === 0) return;
  const fits = (calls: typeof before): boolean =>
    calls.some(
      (call) => takesArguments(call, args.length) && args.every((argument, nth) => accepts(call, nth, argument)),
    );
  if (fits(before) && !fits(after)) note(named, old.symbol.symbol, 'changed');
}

/** The options in the arguments of a call. */
function checkObjects({ old, current }: KnownValue, args: readonly SyntaxNode[], finder: UseFinder): void {
  const { versions } = finder;
  for (const [nth, argument] of args.entries()) {
    if (argument.type !== 'object') continue;
    const typesIn = (seen: Seen | null, api: ApiVersions['old']): readonly string[] =>
      seen === null ? [] : api.calls(seen.symbol).map(({ parameters }) => parameters[nth]?.type ?? '');
    const typeIn = (seen: Seen | null, api: ApiVersions['old']): TypeView | null => {
      const read = typesIn(seen, api).map((type) => (seen === null ? null : api.read(type, seen.symbol, seen.self)));
      return read.find((one) => one !== null) ?? null;
    };
    const isWritten = typesIn(old, versions.old).some((type) => /[&{]/.test(type));
    const [before, after] = [typeIn(old, versions.old), typeIn(current, versions.current)];
    // The keys of an object of any type are the program's own.
    if (before !== null || isWritten)
      checkOptions(argument, before === null ? { kind: 'package' } : valueOf(before, after), finder, isWritten);
  }
}

/** Notes the keys of an object that its type no longer has; the type may be only a part of what is written. */
function checkOptions(object: SyntaxNode, type: Value, finder: UseFinder, isPart = false): void {
  for (const property of object.namedChildren) {
    const key = property.childForFieldName('key') ?? property.childForFieldName('name') ?? property;
    if (key.type !== 'property_identifier' && key.type !== 'shorthand_property_identifier') continue;
    const known = optionOf(type, key.text, finder.versions);
    const { value, isGone, symbol } = known ?? memberOf(isPart ? { kind: 'package' } : type, key.text, finder.versions);
    if (isGone) finder.note(key, symbol, 'removed');
    const inner = property.childForFieldName('value');
    if (inner?.type === 'object' && value !== null && value.kind === 'known') checkOptions(inner, value, finder);
  }
}
