// The members and base types of a TypeScript signature, as the pages of a package's declarations show it.

import { scanMembers } from '../packages/declarations/scan-members.ts';
import { scanModule } from '../packages/declarations/scan-module.ts';
import type { Declared } from '../packages/declarations/module-scope.ts';
import type { DeclarationTokens } from '../packages/declarations/declaration-tokens.ts';
import { anglesAfter, dottedName } from '../packages/declarations/scan-statement.ts';

export interface SignatureParts {
  /** Without the members. */
  readonly header: string;
  readonly members: ReadonlyArray<{ readonly name: string; readonly signature: string }>;
  /** Names of the types whose members it has too, without their modules. */
  readonly bases: readonly string[];
  /** Whether members or base types are missing here, because the page shows only a part. */
  readonly isOpen: boolean;
}

const KINDS_WITH_MEMBERS = new Set(['class', 'interface', 'enum', 'type', 'variable']);

/** Linear in the length of the code. */
export function signatureParts(code: string): SignatureParts {
  const { tokens, top } = scanModule('signature.d.ts', code);
  const declared = [...top.declared.values()].flat().filter(({ kind }) => KINDS_WITH_MEMBERS.has(kind));
  const isCut = code.endsWith(' …');
  const found = declared.flatMap((one) => scanMembers(tokens, one));
  const whole = isCut ? found.slice(0, -1) : found;
  const members = whole.flatMap(({ name, from, to }) => {
    const signature = textOf(tokens, from, to);
    return name === null || isInternal(name, signature) ? [] : [{ name, signature }];
  });
  const bases = declared.map((one) => basesOf(tokens, one));
  return {
    header: headerOf(tokens, declared, code),
    members,
    bases: bases.flatMap(({ names }) => names),
    isOpen: isCut || /\{ … \}/.test(code) || bases.some(({ isOpen }) => isOpen),
  };
}

/** By convention, programs outside the package do not use such a member. */
function isInternal(name: string, signature: string): boolean {
  return /^[_#]/.test(name) || /^(?:protected|private)\b/.test(signature);
}

function textOf({ text, starts, ends }: DeclarationTokens, from: number, to: number): string {
  return text.slice(starts[from] ?? 0, ends[to - 1] ?? 0);
}

function headerOf(tokens: DeclarationTokens, declared: readonly Declared[], code: string): string {
  if (declared.length === 0) return code;
  const headers = declared.map(({ from, to, body }) => {
    const end = body ?? firstBrace(tokens, from, to);
    return textOf(tokens, from, end).trim();
  });
  return [...new Set(headers)].join('\n');
}

/** The bracket of the first object type; the end if there is none. */
function firstBrace(tokens: DeclarationTokens, from: number, to: number): number {
  for (let at = from; at < to; at = (tokens.closes[at] ?? at) + 1) if (tokens.is(at, '{')) return at;
  return to;
}

/** Types made from others: their members are not seen here. */
const DERIVED = new Set(
  'Pick Omit Partial Required Readonly Record Parameters ReturnType InstanceType Extract Exclude NonNullable Awaited typeof keyof infer unique readonly'.split(
    ' ',
  ),
);

interface Bases {
  readonly names: readonly string[];
  readonly isOpen: boolean;
}

/** The bases in `extends A<B>, C` and in `= A & B`; any other type can have members that are not seen here. */
function basesOf(tokens: DeclarationTokens, { kind, from, to, body }: Declared): Bases {
  if (kind === 'enum') return { names: [], isOpen: false };
  const starts: number[] = [];
  let angles = 0;
  for (let at = from; at < (body ?? to); at = (tokens.closes[at] ?? at) + 1) {
    if (angles === 0 && startsBase(tokens, at, kind)) starts.push(at + 1);
    angles = anglesAfter(tokens, at, angles);
  }
  const found = starts.map((at) => ({ at, name: dottedName(tokens, at) }));
  const names = found.flatMap(({ name }) => (name === null || DERIVED.has(name) ? [] : [name]));
  return {
    names: names.map((name) => name.slice(name.lastIndexOf('.') + 1)),
    isOpen: found.some(({ at, name }) =>
      name === null ? !tokens.is(at, '{') && !tokens.is(at, '|') : DERIVED.has(name),
    ),
  };
}

function startsBase(tokens: DeclarationTokens, at: number, kind: Declared['kind']): boolean {
  if (kind === 'type') return tokens.is(at, '=') || tokens.is(at, '&');
  if (kind === 'variable') return tokens.is(at, ':') || tokens.is(at, '&');
  return tokens.is(at, 'extends') || tokens.is(at, ',');
}
