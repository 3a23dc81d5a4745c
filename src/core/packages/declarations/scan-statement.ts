// Where a statement of a declaration file ends, which names it declares, and where its members begin.

import type { DeclarationTokens } from './declaration-tokens.ts';

export type DeclaredKind = 'function' | 'class' | 'interface' | 'type' | 'enum' | 'variable' | 'namespace';

export const DECLARED_KINDS: ReadonlyMap<string, DeclaredKind> = new Map([
  ['function', 'function'],
  ['class', 'class'],
  ['interface', 'interface'],
  ['type', 'type'],
  ['enum', 'enum'],
  ['const', 'variable'],
  ['let', 'variable'],
  ['var', 'variable'],
  ['namespace', 'namespace'],
  ['module', 'namespace'],
]);

/** Words that begin a statement only if a name follows on the same line. */
const CONTEXTUAL = new Set([
  'interface',
  'type',
  'namespace',
  'module',
  'declare',
  'abstract',
  'async',
  'enum',
  'global',
]);
const RESERVED = new Set(['export', 'import', 'class', 'function', 'const', 'let', 'var']);
/** After these a statement or member continues in the next line. */
const OPERATORS_BEFORE = new Set(['|', '&', '=', '=>', ':', '?', ',', '<', '.', '(', '-', '...']);
const WORDS_BEFORE = new Set([
  'extends',
  'implements',
  'keyof',
  'typeof',
  'infer',
  'is',
  'asserts',
  'unique',
  'as',
  'from',
  'in',
  'new',
]);
const OPERATORS_AFTER = new Set(['|', '&', '=', '=>', ':', '?', '.', ',', '>', ')', ']', '}']);
const WORDS_AFTER = new Set(['extends', 'implements', 'is', 'as', 'from', 'in']);

/** Whether an expression or a type continues at this token, although it is the first of its line. */
export function continuesLine(tokens: DeclarationTokens, at: number): boolean {
  const before = tokens.value(at - 1);
  const after = tokens.value(at);
  return (
    OPERATORS_BEFORE.has(before) || WORDS_BEFORE.has(before) || OPERATORS_AFTER.has(after) || WORDS_AFTER.has(after)
  );
}

function beginsStatement(tokens: DeclarationTokens, at: number): boolean {
  const word = tokens.value(at);
  if (RESERVED.has(word)) return true;
  if (!CONTEXTUAL.has(word) || tokens.beginsLine(at + 1)) return false;
  return tokens.isWord(at + 1) || tokens.isString(at + 1) || (word === 'global' && tokens.is(at + 1, '{'));
}

/** How many type argument lists are open after a token. */
export function anglesAfter(tokens: DeclarationTokens, at: number, angles: number): number {
  if (tokens.is(at, '<')) return angles + 1;
  return tokens.is(at, '>') ? Math.max(0, angles - 1) : angles;
}

/** The index after the statement that begins at `at`. Semicolons may be missing at the end of a line. */
export function statementEnd(tokens: DeclarationTokens, at: number, to: number): number {
  let angles = 0;
  let index = at;
  while (index < to) {
    if (tokens.is(index, ';')) return index + 1;
    angles = anglesAfter(tokens, index, angles);
    index = (tokens.closes[index] ?? index) + 1;
    const isEnd = angles === 0 && index < to && tokens.beginsLine(index) && beginsStatement(tokens, index);
    if (isEnd && !continuesStatement(tokens, index)) return index;
  }
  return to;
}

function continuesStatement(tokens: DeclarationTokens, at: number): boolean {
  const before = tokens.value(at - 1);
  return OPERATORS_BEFORE.has(before) || WORDS_BEFORE.has(before);
}

/** Where the members begin, and the index after the whole declaration. */
export function afterHeader(
  tokens: DeclarationTokens,
  at: number,
  to: number,
  kind: DeclaredKind,
): { readonly body: number | null; readonly end: number } {
  if (kind === 'function' || kind === 'variable' || kind === 'type')
    return { body: null, end: statementEnd(tokens, at, to) };
  let angles = 0;
  for (let index = at; index < to; index = (tokens.closes[index] ?? index) + 1) {
    angles = anglesAfter(tokens, index, angles);
    if (tokens.is(index, ';')) return { body: null, end: index + 1 };
    if (tokens.is(index, '{') && angles === 0) return { body: index, end: (tokens.closes[index] ?? to) + 1 };
  }
  return { body: null, end: to };
}

/** The names of `const a: A, b: B`; those inside a pattern are not read. */
export function variableNames(tokens: DeclarationTokens, at: number, to: number): string[] {
  const end = statementEnd(tokens, at, to);
  const names: string[] = [];
  let angles = 0;
  let expectsName = true;
  for (let index = at + 1; index < end; index = (tokens.closes[index] ?? index) + 1) {
    if (expectsName && tokens.isWord(index)) names.push(tokens.value(index));
    expectsName = tokens.is(index, ',') && angles === 0;
    angles = anglesAfter(tokens, index, angles);
  }
  return names;
}

/** `A.B.C`; null if there is no name here. */
export function dottedName(tokens: DeclarationTokens, at: number): string | null {
  if (!tokens.isWord(at)) return null;
  const parts = [tokens.value(at)];
  for (let index = at + 1; tokens.is(index, '.') && tokens.isWord(index + 1); index += 2)
    parts.push(tokens.value(index + 1));
  return parts.join('.');
}

/** The module that a string names. */
export function moduleName(tokens: DeclarationTokens, at: number): string {
  return tokens.value(at).slice(1, -1);
}
