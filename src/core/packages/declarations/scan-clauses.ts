// The clauses of imports and exports: `{ a as b, type C } from "x"`, `* as ns from "x"`, `a = require("x")`.

import type { DeclarationTokens } from './declaration-tokens.ts';
import type { ModuleScope, NameOrigin } from './module-scope.ts';
import { dottedName, moduleName, statementEnd } from './scan-statement.ts';

/** The local names of an import whose clause begins at `at`, with what each refers to. */
export function importedNames(
  tokens: DeclarationTokens,
  at: number,
  end: number,
): ReadonlyArray<readonly [string, NameOrigin]> {
  const first = isTypeOnly(tokens, at) ? at + 1 : at;
  if (tokens.isWord(first) && tokens.is(first + 1, '=')) return [importAlias(tokens, first)];
  const module = fromModule(tokens, first, end);
  return module === null ? [] : clauseNames(tokens, first, end, module);
}

function clauseNames(
  tokens: DeclarationTokens,
  first: number,
  end: number,
  module: string,
): ReadonlyArray<readonly [string, NameOrigin]> {
  const names: Array<readonly [string, NameOrigin]> = [];
  for (let index = first; index < end && !tokens.is(index, 'from'); index += 1) {
    if (tokens.is(index, '{')) {
      for (const { name, alias } of specifiers(tokens, index)) names.push([alias, { module, name }]);
      index = tokens.closes[index] ?? end;
    } else if (tokens.is(index, '*') && tokens.is(index + 1, 'as')) {
      names.push([tokens.value(index + 2), { module, name: '*' }]);
      index += 2;
    } else if (tokens.isWord(index)) names.push([tokens.value(index), { module, name: 'default' }]);
  }
  return names;
}

/** `import type`, unless `type` is the imported name. */
function isTypeOnly(tokens: DeclarationTokens, at: number): boolean {
  return tokens.is(at, 'type') && !['from', '=', ','].some((next) => tokens.is(at + 1, next));
}

/** `import a = require("x")` or `import a = B.C`. */
function importAlias(tokens: DeclarationTokens, at: number): readonly [string, NameOrigin] {
  const isRequire = tokens.is(at + 2, 'require') && tokens.is(at + 3, '(');
  const origin = isRequire
    ? { module: moduleName(tokens, at + 4), name: 'export=' }
    : { module: null, name: dottedName(tokens, at + 2) ?? '' };
  return [tokens.value(at), origin];
}

/** `export * from "x"` or `export * as ns from "x"`; returns the end of the statement. */
export function scanStar(tokens: DeclarationTokens, scope: ModuleScope, at: number, to: number): number {
  const end = statementEnd(tokens, at, to);
  const module = fromModule(tokens, at, end);
  scope.hasExportDeclaration = true;
  if (module === null) return end;
  if (tokens.is(at + 1, 'as')) scope.exports.set(unquoted(tokens, at + 2), { module, name: '*' });
  else scope.stars.push(module);
  return end;
}

/** `export { a as b }`, also with `from`; returns the end of the statement. */
export function scanExportClause(tokens: DeclarationTokens, scope: ModuleScope, at: number, to: number): number {
  const close = tokens.closes[at] ?? to;
  const hasModule = tokens.is(close + 1, 'from') && tokens.isString(close + 2);
  const module = hasModule ? moduleName(tokens, close + 2) : null;
  scope.hasExportDeclaration = true;
  for (const { name, alias } of specifiers(tokens, at)) scope.exports.set(alias, { module, name });
  return hasModule ? close + 3 : close + 1;
}

function specifiers(
  tokens: DeclarationTokens,
  open: number,
): ReadonlyArray<{ readonly name: string; readonly alias: string }> {
  const close = tokens.closes[open] ?? open;
  const found: Array<{ readonly name: string; readonly alias: string }> = [];
  let words: string[] = [];
  for (let index = open + 1; index <= close; index += 1) {
    if (index < close && !tokens.is(index, ',')) {
      words.push(unquoted(tokens, index));
      continue;
    }
    const hasType = words[0] === 'type' && words.length > 1 && words[1] !== 'as';
    const [name, , alias] = hasType ? words.slice(1) : words;
    if (name !== undefined) found.push({ name, alias: alias ?? name });
    words = [];
  }
  return found;
}

function fromModule(tokens: DeclarationTokens, at: number, end: number): string | null {
  for (let index = at; index < end; index = (tokens.closes[index] ?? index) + 1) {
    if (tokens.is(index, 'from') && tokens.isString(index + 1)) return moduleName(tokens, index + 1);
  }
  return null;
}

function unquoted(tokens: DeclarationTokens, at: number): string {
  return tokens.isString(at) ? moduleName(tokens, at) : tokens.value(at);
}
