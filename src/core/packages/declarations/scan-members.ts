// The members of classes, interfaces, enums and object types.

import type { DeclarationTokens } from './declaration-tokens.ts';
import type { Declared } from './module-scope.ts';
import { anglesAfter, continuesLine } from './scan-statement.ts';

export interface DeclaredMember {
  /** Null for a call, construct or index signature. */
  readonly name: string | null;
  readonly from: number;
  readonly to: number;
  readonly doc: { readonly start: number; readonly end: number } | null;
}

const MODIFIERS = new Set(
  'public protected private static readonly abstract declare override accessor get set async'.split(' '),
);
/** After a word these say that the word is the name itself. */
const AFTER_NAME = new Set(['(', '?', ':', ';', ',', '=', '<', '!', '}']);
const AFTER_TYPE_OPERATOR = new Set(['=', '&', '|', '<']);

/** Public members in the order of the text, overloads included. */
export function scanMembers(tokens: DeclarationTokens, declared: Declared): readonly DeclaredMember[] {
  return memberBlocks(tokens, declared).flatMap((open) => blockMembers(tokens, open, declared.kind === 'enum'));
}

/** The brackets that hold the members. */
function memberBlocks(tokens: DeclarationTokens, { kind, body, from, to }: Declared): readonly number[] {
  if (body !== null) return [body];
  if (kind !== 'type' && kind !== 'variable') return [];
  const blocks: number[] = [];
  for (let index = from; index < to; index = (tokens.closes[index] ?? index) + 1) {
    const before = tokens.value(index - 1);
    const isObject = AFTER_TYPE_OPERATOR.has(before) || (kind === 'variable' && before === ':');
    if (tokens.is(index, '{') && isObject) blocks.push(index);
  }
  return blocks;
}

function blockMembers(tokens: DeclarationTokens, open: number, isEnum: boolean): readonly DeclaredMember[] {
  const close = tokens.closes[open] ?? open;
  const members: DeclaredMember[] = [];
  let at = open + 1;
  while (at < close) {
    const end = memberEnd(tokens, at, close, isEnum);
    const isSeparator = tokens.is(at, ';') || tokens.is(at, ',');
    if (!isSeparator) {
      const member = readMember(tokens, at, end);
      if (member !== null) members.push(member);
    }
    at = Math.max(at + 1, end);
  }
  return members;
}

/** The index after the member, without its separator. */
function memberEnd(tokens: DeclarationTokens, at: number, close: number, isEnum: boolean): number {
  let angles = 0;
  let index = at;
  while (index < close) {
    if (tokens.is(index, ';') || (tokens.is(index, ',') && angles === 0)) return index;
    if (!isEnum) angles = anglesAfter(tokens, index, angles);
    index = (tokens.closes[index] ?? index) + 1;
    if (angles === 0 && index < close && beginsMember(tokens, index)) return index;
  }
  return close;
}

function beginsMember(tokens: DeclarationTokens, at: number): boolean {
  return tokens.beginsLine(at) && !continuesLine(tokens, at) && !isModifierAt(tokens, at - 1);
}

function isModifierAt(tokens: DeclarationTokens, at: number): boolean {
  return MODIFIERS.has(tokens.value(at)) && !AFTER_NAME.has(tokens.value(at + 1));
}

function readMember(tokens: DeclarationTokens, from: number, to: number): DeclaredMember | null {
  let at = from;
  while (at < to - 1 && isModifierAt(tokens, at)) {
    if (tokens.is(at, 'private')) return null;
    at += 1;
  }
  const doc = tokens.docs.get(from) ?? null;
  if (tokens.value(at).startsWith('#')) return null;
  return { name: memberName(tokens, at, to), from, to, doc };
}

function memberName(tokens: DeclarationTokens, at: number, to: number): string | null {
  if (tokens.is(at, 'new') && (tokens.is(at + 1, '(') || tokens.is(at + 1, '<'))) return null;
  if (tokens.isWord(at)) return tokens.value(at);
  if (tokens.isString(at)) return tokens.value(at).slice(1, -1);
  if (!tokens.is(at, '[')) return /^\d/.test(tokens.value(at)) ? tokens.value(at) : null;
  const close = tokens.closes[at] ?? to;
  const isIndex = tokens.is(at + 2, ':') || tokens.is(at + 2, 'in');
  return isIndex ? null : tokens.text.slice(tokens.starts[at], tokens.ends[close]);
}
