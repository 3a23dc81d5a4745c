// Finds the declarations, imports and exports of a TypeScript declaration file, as data: nothing is resolved here.

import { tokenizeDeclarations, type DeclarationTokens } from './declaration-tokens.ts';
import { addDeclared, createScope, type DeclarationModule, type ModuleScope } from './module-scope.ts';
import { importedNames, scanExportClause, scanStar } from './scan-clauses.ts';
import {
  afterHeader,
  dottedName,
  DECLARED_KINDS,
  moduleName,
  statementEnd,
  variableNames,
  type DeclaredKind,
} from './scan-statement.ts';

/** Namespaces inside namespaces; deeper ones are not read. */
const MAX_DEPTH = 16;

interface ScanState {
  readonly tokens: DeclarationTokens;
  readonly ambient: Map<string, ModuleScope[]>;
  readonly globals: Array<{ readonly scope: ModuleScope; readonly outer: ModuleScope }>;
  readonly sideEffects: string[];
  isModule: boolean;
}

export function scanModule(path: string, text: string): DeclarationModule {
  const tokens = tokenizeDeclarations(text);
  const state: ScanState = { tokens, ambient: new Map(), globals: [], sideEffects: [], isModule: false };
  const top = scanScope(state, 0, tokens.count, 0);
  return { path, top, ...state };
}

function scanScope(state: ScanState, from: number, to: number, depth: number): ModuleScope {
  const scope = createScope();
  if (depth > MAX_DEPTH) return scope;
  let at = from;
  while (at < to) at = Math.max(at + 1, scanStatement({ state, scope, to, depth }, at));
  return scope;
}

/** The block whose statements are scanned. */
interface Block {
  readonly state: ScanState;
  readonly scope: ModuleScope;
  readonly to: number;
  readonly depth: number;
}

function scanStatement(block: Block, at: number): number {
  const { state, depth } = block;
  const { tokens } = state;
  if (tokens.is(at, 'import') && !tokens.is(at + 1, '(')) return scanImport(block, at, false);
  if (!tokens.is(at, 'export')) return scanDeclaration(block, { first: at, at, exported: false, isDefault: false });
  if (depth === 0) state.isModule = true;
  return scanExport(block, at);
}

function scanExport(block: Block, at: number): number {
  const { state, scope, to } = block;
  const { tokens } = state;
  const next = at + 1;
  if (tokens.is(next, '=')) {
    scope.hasExportDeclaration = true;
    scope.exportAssigned = dottedName(tokens, next + 1);
    return statementEnd(tokens, next, to);
  }
  if (tokens.is(next, 'default')) return scanDefault(block, at);
  if (tokens.is(next, 'import')) return scanImport(block, next, true);
  if (tokens.is(next, 'as')) return statementEnd(tokens, next, to);
  const clause = tokens.is(next, 'type') && (tokens.is(next + 1, '{') || tokens.is(next + 1, '*')) ? next + 1 : next;
  if (tokens.is(clause, '*')) return scanStar(tokens, scope, clause, to);
  if (tokens.is(clause, '{')) return scanExportClause(tokens, scope, clause, to);
  return scanDeclaration(block, { first: at, at: next, exported: true, isDefault: false });
}

/** `export default` before a declaration, or before the name of one. */
function scanDefault(block: Block, first: number): number {
  const { state, scope, to } = block;
  const at = first + 2;
  const end = scanDeclaration(block, { first, at, exported: false, isDefault: true });
  if (end > at) return end;
  scope.hasExportDeclaration = true;
  const name = dottedName(state.tokens, at);
  if (name !== null) scope.exports.set('default', { module: null, name });
  return statementEnd(state.tokens, at, to);
}

function scanImport({ state, scope, to, depth }: Block, at: number, exported: boolean): number {
  const { tokens } = state;
  if (depth === 0) state.isModule = true;
  const end = statementEnd(tokens, at, to);
  if (tokens.isString(at + 1)) state.sideEffects.push(moduleName(tokens, at + 1));
  for (const [local, origin] of importedNames(tokens, at + 1, end)) {
    scope.imports.set(local, origin);
    if (exported) scope.exports.set(local, { module: null, name: local });
  }
  return end;
}

interface DeclarationStart {
  /** The first token of the statement, which has the doc comment. */
  readonly first: number;
  readonly at: number;
  readonly exported: boolean;
  readonly isDefault: boolean;
}

/** Scans a declaration; of any other statement, or of a default export by name, only its end is returned. */
function scanDeclaration(block: Block, start: DeclarationStart): number {
  const { state, scope, to, depth } = block;
  const { tokens } = state;
  let at = start.at;
  while (isModifier(tokens, at)) at += 1;
  const kind = DECLARED_KINDS.get(tokens.value(at));
  if (tokens.is(at, 'global') && tokens.is(at + 1, '{')) {
    const close = tokens.closes[at + 1] ?? to;
    state.globals.push({ scope: scanScope(state, at + 2, close, depth + 1), outer: scope });
    return close + 1;
  }
  if (kind === 'namespace' && tokens.isString(at + 1)) return scanAmbientModule(state, at, to, depth);
  if (kind !== undefined && declaresName(tokens, at, kind, start.isDefault))
    return addDeclaration(block, start, at, kind);
  return start.isDefault ? start.at : statementEnd(tokens, at, to);
}

function declaresName(tokens: DeclarationTokens, at: number, kind: DeclaredKind, isDefault: boolean): boolean {
  return tokens.isWord(at + 1) || tokens.is(at + 1, '*') || (isDefault && kind !== 'variable');
}

function addDeclaration(block: Block, start: DeclarationStart, at: number, kind: DeclaredKind): number {
  const { state, scope, to, depth } = block;
  const { tokens } = state;
  const doc = [start.first, start.at, at].map((index) => tokens.docs.get(index)).find((found) => found !== undefined);
  const names = kind === 'variable' ? variableNames(tokens, at, to) : [declaredName(tokens, at)];
  const { body, end } = afterHeader(tokens, at, to, kind);
  const isNamespace = kind === 'namespace';
  for (const name of names) {
    if (start.exported) scope.exportedNames.add(name.split('.', 1)[0] ?? name);
    if (start.isDefault) scope.exports.set('default', { module: null, name });
    const inner =
      isNamespace && body !== null ? scanScope(state, body + 1, tokens.closes[body] ?? to, depth + 1) : null;
    const from = keywordStart(tokens, start.at, at);
    addDeclared(scope, { name, kind, from, to: end, doc: doc ?? null, body: isNamespace ? null : body, scope: inner });
  }
  return end;
}

function scanAmbientModule(state: ScanState, at: number, to: number, depth: number): number {
  const { tokens } = state;
  const name = moduleName(tokens, at + 1);
  if (!tokens.is(at + 2, '{')) return statementEnd(tokens, at, to);
  const close = tokens.closes[at + 2] ?? to;
  const scope = scanScope(state, at + 3, close, depth + 1);
  state.ambient.set(name, state.ambient.get(name) ?? []);
  state.ambient.get(name)?.push(scope);
  return close + 1;
}

function isModifier(tokens: DeclarationTokens, at: number): boolean {
  if (tokens.is(at, 'const')) return tokens.is(at + 1, 'enum');
  const isWord = tokens.is(at, 'declare') || tokens.is(at, 'abstract') || tokens.is(at, 'async');
  return isWord && tokens.isWord(at + 1);
}

/** The signature keeps `abstract` and `const` before an enum. */
function keywordStart(tokens: DeclarationTokens, from: number, at: number): number {
  for (let index = from; index < at; index += 1) if (!tokens.is(index, 'declare')) return index;
  return at;
}

function declaredName(tokens: DeclarationTokens, at: number): string {
  const name = dottedName(tokens, tokens.is(at + 1, '*') ? at + 2 : at + 1);
  return name === null || name === 'extends' || name === 'implements' ? 'default' : name;
}
