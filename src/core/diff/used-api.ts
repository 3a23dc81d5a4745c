// Where a program uses what a newer version of a package no longer has: imports, members, options and calls. The types of expressions are
// followed in both versions at once, as far as declarations name them; a value of the package whose type is not known is judged by the
// names that no type of the newer version has.

import type { SyntaxNode } from '../chunk/code/grammar-loader.ts';
import type { TypeView } from './api-view.ts';
import { bindParameters, bindPattern, callback, importBindings, type ReadMember } from './used-bindings.ts';
import {
  accepts,
  callResult,
  constructorOf,
  createBindings,
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
  visit(root, { scope: imports, finder, depth: 0 });
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

interface VisitContext {
  readonly scope: Bindings;
  readonly finder: UseFinder;
  readonly depth: number;
}

type Visit = (node: SyntaxNode, context: VisitContext) => Value | null;

/** Visits a statement or an expression; returns the value of an expression. */
function visit(node: SyntaxNode, context: VisitContext): Value | null {
  const inside = { ...context, depth: context.depth + 1 };
  if (inside.depth > MAX_DEPTH) return null;
  const visitor = VISITORS.get(node.type);
  if (visitor !== undefined) return visitor(node, inside);
  for (const child of node.namedChildren) visit(child, inside);
  return null;
}

const firstValue: Visit = (node, context) => node.namedChildren.map((child) => visit(child, context))[0] ?? null;

const element: Visit = (node, context) => (firstValue(node, context) === null ? null : { kind: 'package' });

const assertion: Visit = (node, context) => {
  const [, type = null] = node.namedChildren;
  firstValue(node, context);
  return seenType(type, context.scope, context.finder);
};

const member: Visit = (node, context) => {
  const [object, property] = [node.childForFieldName('object'), node.childForFieldName('property')];
  const value = object === null ? null : visit(object, context);
  return property === null ? null : readMember(value, property, context.finder);
};

const qualifiedType: Visit = (node, { scope, finder }) => {
  const name = node.childForFieldName('name');
  const value = scope.get(node.childForFieldName('module')?.text ?? '') ?? null;
  return name === null ? null : readMember(value, name, finder);
};

const block: Visit = (node, context) => {
  const own = { ...context, scope: createBindings(context.scope) };
  for (const child of node.namedChildren) visit(child, own);
  return null;
};

const variable: Visit = (node, context) => {
  const { scope, finder } = context;
  const [name = null, type = null, value = null] = ['name', 'type', 'value'].map((field) =>
    node.childForFieldName(field),
  );
  if (type !== null) visit(type, context);
  const annotated = seenType(type, scope, finder);
  const made = value === null ? null : visit(value, context);
  if (annotated !== null && value?.type === 'object') checkOptions(value, annotated, finder);
  const read: ReadMember = (of, property) => readMember(of, property, finder);
  if (name !== null) bindPattern(name, annotated ?? made, scope, read);
  return null;
};

function visitFunction(node: SyntaxNode, context: VisitContext, types: ReadonlyArray<Value | null> = []): null {
  const read: ReadMember = (of, property) => readMember(of, property, context.finder);
  const scope = createBindings(context.scope);
  bindParameters(node, types, { scope, finder: context.finder, read });
  for (const child of node.namedChildren) visit(child, { ...context, scope });
  return null;
}

/** The value of a property, which is noted if the newer version does not have it. */
function readMember(of: Value | null, property: SyntaxNode, finder: UseFinder): Value | null {
  if (of === null) return null;
  const { value, isGone, symbol } = memberOf(of, property.text, finder.versions);
  if (isGone) finder.note(property, symbol, 'removed');
  return value;
}

const callOrNew: Visit = (node, context) => {
  const { finder } = context;
  const isNew = node.type === 'new_expression';
  const callee = node.childForFieldName(isNew ? 'constructor' : 'function');
  const called = callee === null ? null : visit(callee, context);
  const types = node.childForFieldName('type_arguments');
  if (types !== null) visit(types, context);
  const args = argumentsOf(node);
  for (const [nth, argument] of args.entries()) {
    if (called !== null && FUNCTIONS.has(argument.type))
      visitFunction(argument, context, callback(called, nth, argument, finder));
    else visit(argument, context);
  }
  return callee === null || called === null ? null : resultOf(called, callee, { args, isNew }, finder);
};

function resultOf(
  called: Value,
  callee: SyntaxNode,
  { args, isNew }: { readonly args: readonly SyntaxNode[]; readonly isNew: boolean },
  finder: UseFinder,
): Value | null {
  if (called.kind !== 'known') return { kind: 'package' };
  const made: Call = { named: callee.childForFieldName('property') ?? callee, args };
  return isNew ? construct(called, made, finder) : invoke(called, made, finder);
}

function argumentsOf(node: SyntaxNode): readonly SyntaxNode[] {
  return (node.childForFieldName('arguments')?.namedChildren ?? []).filter(({ type }) => type !== 'comment');
}

const FUNCTIONS = new Set(['arrow_function', 'function_expression']);

const VISITORS: ReadonlyMap<string, Visit> = new Map<string, Visit>([
  ['import_statement', () => null],
  ['identifier', (node, { scope }) => scope.get(node.text) ?? null],
  ['variable_declarator', variable],
  ['member_expression', member],
  ['nested_type_identifier', qualifiedType],
  ['call_expression', callOrNew],
  ['new_expression', callOrNew],
  ['await_expression', firstValue],
  ['parenthesized_expression', firstValue],
  ['non_null_expression', firstValue],
  ['satisfies_expression', firstValue],
  ['as_expression', assertion],
  ['subscript_expression', element],
  ['statement_block', block],
  ['class_body', block],
  ...['arrow_function', 'function_expression', 'function_declaration', 'method_definition'].map(
    (type): [string, Visit] => [type, (node, context) => visitFunction(node, context)],
  ),
]);

interface Call {
  /** The name that is called. */
  readonly named: SyntaxNode;
  readonly args: readonly SyntaxNode[];
}

function invoke(called: KnownValue, call: Call, finder: UseFinder): Value {
  checkArguments(called, call, finder);
  checkObjects(called, call.args, finder);
  return callResult(called, call.args.length, finder.versions);
}

function construct(called: KnownValue, call: Call, finder: UseFinder): Value | null {
  const { value, isGone } = madeBy(called, finder.versions);
  if (isGone) finder.note(call.named, called.old.symbol.symbol, 'changed');
  const made = constructorOf(called, finder.versions);
  if (made !== null) {
    checkArguments(made, call, finder);
    checkObjects(made, call.args, finder);
  }
  return value;
}

/** Notes a call that fitted a signature of the older version and fits none of the newer one. */
function checkArguments({ old, current }: KnownValue, { named, args }: Call, finder: UseFinder): void {
  const { versions } = finder;
  if (current === null || args.some(({ type }) => type === 'spread_element')) return;
  const [before, after] = [versions.old.calls(old.symbol), versions.current.calls(current.symbol)];
  if (before.length === 0 || after.length === 0) return;
  const fits = (calls: typeof before): boolean =>
    calls.some(
      (call) => takesArguments(call, args.length) && args.every((argument, nth) => accepts(call, nth, argument)),
    );
  if (fits(before) && !fits(after)) finder.note(named, old.symbol.symbol, 'changed');
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
    const key = keyOf(property);
    if (key === null) continue;
    const known = optionOf(type, key.text, finder.versions);
    const { value, isGone, symbol } = known ?? memberOf(isPart ? PART : type, key.text, finder.versions);
    if (isGone) finder.note(key, symbol, 'removed');
    const nested = property.childForFieldName('value');
    if (nested?.type === 'object' && value?.kind === 'known') checkOptions(nested, value, finder);
  }
}

/** Null for a spread and a computed key. */
function keyOf(property: SyntaxNode): SyntaxNode | null {
  const key = property.childForFieldName('key') ?? property.childForFieldName('name') ?? property;
  return KEYS.has(key.type) ? key : null;
}

const KEYS = new Set(['property_identifier', 'shorthand_property_identifier']);
const PART: Value = { kind: 'package' };
