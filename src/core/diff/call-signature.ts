// What a TypeScript signature says of a call: how many arguments it takes, their types, and the type of the result.

import { tokenizeDeclarations, type DeclarationTokens } from '../packages/declarations/declaration-tokens.ts';
import { anglesAfter } from '../packages/declarations/scan-statement.ts';

export interface CallParameter {
  readonly type: string;
  readonly isOptional: boolean;
  readonly isRest: boolean;
}

export interface CallSignature {
  readonly parameters: readonly CallParameter[];
  /** Empty if none is written. */
  readonly returns: string;
}

const MAX_SIGNATURES = 20;

/** The overloads of a function or method, one in each line or statement; empty for a signature of anything else. */
export function callSignatures(signature: string): readonly CallSignature[] {
  const tokens = tokenizeDeclarations(signature);
  const found: CallSignature[] = [];
  let at = 0;
  while (at < tokens.count && found.length < MAX_SIGNATURES) {
    const end = overloadEnd(tokens, at);
    const call = callFrom(tokens, at, end);
    if (call !== null) found.push(call);
    at = end + 1;
  }
  return found;
}

/** The type after the first colon, as of a property, a getter or a variable; null for a function. */
export function valueType(signature: string): string | null {
  const tokens = tokenizeDeclarations(signature);
  const colon = topLevel(tokens, 0, tokens.count, (at) => tokens.is(at, ':') || tokens.is(at, '('));
  if (colon === -1) return null;
  if (tokens.is(colon, ':')) return typeText(tokens, colon + 1, tokens.count);
  return /^get\b/.test(signature) ? typeText(tokens, (tokens.closes[colon] ?? colon) + 2, tokens.count) : null;
}

/** Overloads end with a semicolon, or with a line. */
function overloadEnd(tokens: DeclarationTokens, from: number): number {
  let angles = 0;
  for (let at = from; at < tokens.count; at = (tokens.closes[at] ?? at) + 1) {
    if (tokens.is(at, ';')) return at;
    if (at > from && angles === 0 && tokens.beginsLine(at) && isOverload(tokens, from, at)) return at - 1;
    angles = anglesAfter(tokens, at, angles);
  }
  return tokens.count;
}

/** The next line begins with the same word, such as `function` or the name of the method. */
function isOverload(tokens: DeclarationTokens, from: number, at: number): boolean {
  return tokens.isWord(at) && tokens.value(at) === tokens.value(from);
}

function callFrom(tokens: DeclarationTokens, from: number, end: number): CallSignature | null {
  const open = topLevel(tokens, from, end, (at) => tokens.is(at, '('));
  if (open === -1 || tokens.value(from) === 'get') return null;
  const before = tokens.value(open - 1);
  // `name: (a) => b` is a call, and `name: (A | B)[]` is not.
  const close = tokens.closes[open] ?? end;
  const isArrow = tokens.is(close + 1, '=>');
  if ([':', '|', '&'].includes(before) && !isArrow) return null;
  const after = tokens.is(close + 1, ':') || isArrow ? close + 2 : end;
  return { parameters: parametersIn(tokens, open, close), returns: typeText(tokens, after, end) };
}

/** The first token outside type arguments and brackets for which the condition holds. */
function topLevel(tokens: DeclarationTokens, from: number, end: number, holds: (at: number) => boolean): number {
  let angles = 0;
  for (let at = from; at < end; at = (tokens.closes[at] ?? at) + 1) {
    if (angles === 0 && holds(at)) return at;
    angles = anglesAfter(tokens, at, angles);
  }
  return -1;
}

function parametersIn(tokens: DeclarationTokens, open: number, close: number): readonly CallParameter[] {
  const parameters: CallParameter[] = [];
  let from = open + 1;
  while (from < close) {
    const comma = topLevel(tokens, from, close, (at) => tokens.is(at, ','));
    const end = comma === -1 ? close : comma;
    const colon = topLevel(tokens, from, end, (at) => tokens.is(at, ':'));
    if (tokens.value(from) !== 'this')
      parameters.push({
        type: colon === -1 ? '' : typeText(tokens, colon + 1, end),
        isOptional: colon !== -1 && tokens.is(colon - 1, '?'),
        isRest: tokens.is(from, '...'),
      });
    from = end + 1;
  }
  return parameters;
}

function typeText({ text, starts, ends, count }: DeclarationTokens, from: number, end: number): string {
  if (from >= Math.min(end, count)) return '';
  return text.slice(starts[from] ?? 0, ends[Math.min(end, count) - 1] ?? 0).trim();
}

/** Whether a call with so many arguments fits a signature. */
export function takesArguments({ parameters }: CallSignature, count: number): boolean {
  const required = parameters.filter(({ isOptional, isRest }) => !isOptional && !isRest).length;
  return count >= required && (count <= parameters.length || parameters.some(({ isRest }) => isRest));
}
