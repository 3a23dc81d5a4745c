// The names in a program that stand for something of a package: imports, variables, and parameters of callbacks.

import type { SyntaxNode } from '../chunk/code/grammar-loader.ts';
import type { TypeView } from './api-view.ts';
import { callSignatures } from './call-signature.ts';
import {
  createBindings,
  exportOf,
  seenType,
  valueOf,
  type Bindings,
  type Seen,
  type UseFinder,
  type Value,
} from './used-values.ts';

export type ReadMember = (of: Value | null, property: SyntaxNode) => Value | null;

/** Null if the file imports nothing of the package. */
export function importBindings(root: SyntaxNode, finder: UseFinder): Bindings | null {
  const bindings = createBindings();
  const { packageName, modules } = finder.versions;
  const statements = root.namedChildren.flatMap((node) => {
    const source = IMPORTING.has(node.type) ? node.childForFieldName('source') : null;
    const module = source?.text.slice(1, -1) ?? '';
    const isOwn = module === packageName || module.startsWith(`${packageName}/`);
    return source !== null && isOwn ? [{ node, source, module }] : [];
  });
  for (const { module } of statements) modules.add(module);
  for (const { node, source, module } of statements) {
    const { old, current } = finder.versions;
    if (old.hasModule(module) && !current.hasModule(module)) {
      finder.note(source, module, 'removed');
      continue;
    }
    bindImport(node, module, bindings, finder);
  }
  return statements.length === 0 ? null : bindings;
}

const IMPORTING = new Set(['import_statement', 'export_statement']);

function bindImport(node: SyntaxNode, module: string, bindings: Bindings, finder: UseFinder): void {
  const bindNamed = (specifier: SyntaxNode): void => {
    const name = specifier.childForFieldName('name') ?? specifier;
    const local = specifier.childForFieldName('alias') ?? name;
    const { value, isGone, symbol } = exportOf(module, name.text, finder.versions);
    if (isGone) finder.note(name, symbol, 'removed');
    bindings.set(local.text, value);
  };
  for (const clause of node.namedChildren.flatMap(descendants)) {
    if (clause.type === 'import_specifier' || clause.type === 'export_specifier') bindNamed(clause);
    else if (clause.type === 'namespace_import')
      bindings.set(clause.namedChildren[0]?.text ?? '', { kind: 'module', module });
    else if (clause.type === 'identifier') bindings.set(clause.text, defaultOf(module, clause.text, finder));
  }
}

/** The clauses of an import; the names inside a specifier belong to it. */
function descendants(node: SyntaxNode): readonly SyntaxNode[] {
  const isClause = ['import_clause', 'named_imports', 'export_clause'].includes(node.type);
  return isClause ? node.namedChildren.flatMap(descendants) : [node];
}

/**
 * A default export is known by the name of its declaration, which the importing program often uses too. A module without one is imported
 * as a whole, as if it were CommonJS.
 */
function defaultOf(module: string, local: string, { versions }: UseFinder): Value {
  for (const name of ['default', local, local.toLowerCase()]) {
    const { value } = exportOf(module, name, versions);
    if (value !== null && value.kind === 'known') return value;
  }
  return { kind: 'module', module };
}

/** Binds the names of a variable or parameter. */
export function bindPattern(pattern: SyntaxNode, value: Value | null, scope: Bindings, read: ReadMember): void {
  if (pattern.type === 'identifier') scope.set(pattern.text, value);
  if (pattern.type === 'array_pattern')
    for (const one of pattern.namedChildren) bindPattern(one, value === null ? null : { kind: 'package' }, scope, read);
  if (pattern.type !== 'object_pattern') return;
  for (const one of pattern.namedChildren) {
    const inner = one.type === 'object_assignment_pattern' ? (one.childForFieldName('left') ?? one) : one;
    if (inner.type === 'shorthand_property_identifier_pattern') scope.set(inner.text, read(value, inner));
    const key = inner.childForFieldName('key');
    const target = inner.childForFieldName('value');
    if (key !== null && target !== null) bindPattern(target, read(value, key), scope, read);
  }
}

/** Binds the parameters of a function, which have these types, unless they have annotations. */
export function bindParameters(
  node: SyntaxNode,
  types: ReadonlyArray<Value | null>,
  { scope, finder, read }: { readonly scope: Bindings; readonly finder: UseFinder; readonly read: ReadMember },
): void {
  for (const [nth, parameter] of parametersOf(node).entries()) {
    const pattern = parameter.childForFieldName('pattern') ?? parameter;
    const annotated = seenType(parameter.childForFieldName('type'), scope, finder);
    bindPattern(pattern, annotated ?? types[nth] ?? null, scope, read);
  }
}

function parametersOf(node: SyntaxNode): readonly SyntaxNode[] {
  const single = node.childForFieldName('parameter');
  return single === null ? (node.childForFieldName('parameters')?.namedChildren ?? []) : [single];
}

/** The parameters of a function that is passed to the package, from the type of the parameter or from the members that it uses. */
export function callback(
  called: Value,
  nth: number,
  argument: SyntaxNode,
  finder: UseFinder,
): ReadonlyArray<Value | null> {
  const { versions } = finder;
  const typesIn = (seen: Seen | null, api: typeof versions.old): ReadonlyArray<TypeView | null> => {
    if (seen === null) return [];
    for (const { parameters } of api.calls(seen.symbol)) {
      const type = parameters[nth]?.type ?? '';
      const [written] = callSignatures(`f: ${type}`);
      if (written !== undefined && type.includes('=>'))
        return written.parameters.map((one) => api.read(one.type, seen.symbol, seen.self));
      const named = api.read(type, seen.symbol, seen.self);
      const [call] = named === null ? [] : callSignatures(named.symbol.signature);
      if (named !== null && call !== undefined)
        return call.parameters.map((one) => api.read(one.type, named.symbol, null));
    }
    return [];
  };
  const before = called.kind === 'known' ? typesIn(called.old, versions.old) : [];
  const after = called.kind === 'known' ? typesIn(called.current, versions.current) : [];
  return parametersOf(argument).map((parameter, at) => {
    const known = before[at] ?? null;
    if (known !== null) return valueOf(known, after[at] ?? null);
    const pattern = parameter.childForFieldName('pattern') ?? parameter;
    return byUse(pattern, argument, finder) ?? { kind: 'package' };
  });
}

/** The only type of the older version that has all the members which a function reads of its parameter. */
function byUse(pattern: SyntaxNode, body: SyntaxNode, { versions }: UseFinder): Value | null {
  const { old, current, modules } = versions;
  const names = pattern.type === 'identifier' ? membersRead(pattern.text, body) : new Set<string>();
  const [type, ...others] = names.size === 0 ? [] : old.typesWith(names, modules);
  if (type === undefined || others.length > 0) return null;
  const module = type.modules.find((one) => modules.has(one)) ?? type.modules[0] ?? '';
  const after = current.exported(module, type.symbol);
  return valueOf({ symbol: type, isValue: false }, after === null ? null : { symbol: after, isValue: false });
}

function membersRead(name: string, body: SyntaxNode): ReadonlySet<string> {
  const names = new Set<string>();
  const stack = [body];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const object = node.type === 'member_expression' ? node.childForFieldName('object') : null;
    const isOwn = object?.type === 'identifier' && object.text === name;
    if (isOwn) names.add(node.childForFieldName('property')?.text ?? '');
    stack.push(...node.namedChildren);
  }
  return names;
}
