// Compiles globs and matches them as an NFA: all states are followed at once, without backtracking, so the time is at most
// proportional to text times pattern. The subset: `*` within a segment, `**` across segments, `?` one character, `{a,b}`
// alternatives, `[abc]` or `[a-z]` one of a set.

import { pinakesError, type PinakesError } from '../model/errors.ts';
import { normalizePercent } from './percent-encoding.ts';

export interface Glob {
  readonly pattern: string;
  readonly steps: readonly GlobStep[];
}

/** Throws `pattern.invalid` with the reason. A pattern is checked here, never while matching. */
export function compileGlob(pattern: string): Glob {
  return { pattern, steps: compileGlobProgram(pattern) };
}

export function matchesGlob(text: string, { steps }: Glob): boolean {
  // visited[state] is the generation in which a state was last reached, so that it never has to be cleared.
  const visited = new Uint32Array(steps.length + 1);
  let states: number[] = [];
  addState(0, { steps, visited, generation: 1, states });
  for (let at = 0; at < text.length && states.length > 0; at += 1) {
    const code = text.charCodeAt(at);
    const next: Generation = { steps, visited, generation: at + 2, states: [] };
    for (const state of states) {
      const step = steps[state];
      if (step !== undefined && accepts(step, code)) addState(loops(step) ? state : state + 1, next);
    }
    states = next.states;
  }
  return states.includes(steps.length);
}

/** How many states can be followed at once, at most: one before the first step that loops or forks, and each one from there on. */
export function mostStates({ steps }: Glob): number {
  const first = steps.findIndex((step) => step.kind === 'fork' || loops(step));
  return first === -1 ? 1 : steps.length - first + 1;
}

interface Generation {
  readonly steps: readonly GlobStep[];
  readonly visited: Uint32Array;
  readonly generation: number;
  readonly states: number[];
}

/** Adds all states that can be reached from here without consuming a character, except for the forks themselves. */
function addState(from: number, { steps, visited, generation, states }: Generation): void {
  if (visited[from] === generation) return;
  const open = [from];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    if (visited[state] === generation) continue;
    visited[state] = generation;
    const step = steps[state];
    if (step?.kind === 'fork') {
      for (const target of step.to) open.push(target);
      continue;
    }
    states.push(state);
    if (step !== undefined && loops(step)) open.push(state + 1);
  }
}

function loops(step: GlobStep): boolean {
  return step.kind === 'star' || step.kind === 'globstar';
}

const SLASH = 0x2f;

function accepts(step: GlobStep, code: number): boolean {
  switch (step.kind) {
    case 'char':
      return step.code === code;
    case 'one-of':
      return step.codes.has(code);
    case 'any':
    case 'star':
      return code !== SLASH;
    case 'globstar':
      return true;
    case 'fork':
  }
  return false;
}

export type GlobStep =
  | { readonly kind: 'char'; readonly code: number }
  | { readonly kind: 'one-of'; readonly codes: ReadonlySet<number> }
  /** Any single character except a slash. */
  | { readonly kind: 'any' }
  /** Loops on any character except a slash (`star`) or on any character (`globstar`), and can be left at any time. */
  | { readonly kind: 'star' | 'globstar' }
  /** Continues at all of these steps. */
  | { readonly kind: 'fork'; readonly to: readonly number[] };

export const MAX_GLOB_LENGTH = 1024;
const MAX_BRACE_DEPTH = 4;
const MAX_RANGE = 128;

export function compileGlobProgram(pattern: string): readonly GlobStep[] {
  const why = syntaxProblem(pattern);
  if (why !== null) throw invalidPattern(pattern, why);
  const parser: Parser = { pattern, text: normalizePercent(pattern), at: 0, steps: [] };
  parseSequence(parser, 0);
  return parser.steps;
}

interface Parser {
  readonly pattern: string;
  readonly text: string;
  at: number;
  readonly steps: GlobStep[];
}

function invalidPattern(pattern: string, reason: string): PinakesError {
  return pinakesError('pattern.invalid', {
    pattern: pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern,
    reason,
  });
}

/** Syntax of other pattern languages, each with an explanation, so that a regular expression is never taken for a glob. */
const UNSUPPORTED_SYNTAX: ReadonlyArray<readonly [RegExp, string]> = [
  [/[*+?@!]\(/, 'groups such as +(a|b) are not supported, write {a,b}'],
  [/\\/, 'a backslash is not an escape character, write [*] for a literal star'],
  [/\^|\||\)[*+?{]|\(\?/, 'it looks like a regular expression; patterns are globs with *, **, ?, {a,b} and [abc]'],
  [/\.\.(?=[^/{}]*\})/, 'ranges in braces are not supported'],
  [/\[\[|\[:/, 'named character classes are not supported'],
  [/#/, 'the fragment of a URL is never matched'],
  [/\p{Cc}/u, 'it contains a control character'],
];

function syntaxProblem(pattern: string): string | null {
  if (pattern === '') return 'it is empty';
  if (pattern.length > MAX_GLOB_LENGTH) return `it is longer than ${MAX_GLOB_LENGTH} characters`;
  return UNSUPPORTED_SYNTAX.find(([syntax]) => syntax.test(pattern))?.[1] ?? null;
}

/** Parses to the end, or inside braces up to `,` or `}`, which is left to the caller. */
function parseSequence(parser: Parser, depth: number): void {
  const { text, steps } = parser;
  while (parser.at < text.length) {
    const char = text[parser.at];
    if (depth > 0 && (char === ',' || char === '}')) return;
    if (char === '*') parseStars(parser);
    else if (char === '{') parseBraces(parser, depth + 1);
    else if (char === '[') parseClass(parser);
    else if (char === '}' || char === ']') throw invalidPattern(parser.pattern, `unmatched ${char}`);
    else if (text.slice(parser.at) === '/**') parseFolderEnd(parser);
    else if (char === '?') {
      steps.push({ kind: 'any' });
      parser.at += 1;
    } else parseLiteral(parser);
  }
}

function parseStars(parser: Parser): void {
  const { text, steps } = parser;
  const start = parser.at;
  while (text[parser.at] === '*') parser.at += 1;
  if (parser.at - start === 1) {
    steps.push({ kind: 'star' });
    return;
  }
  const wholeSegment = (start === 0 || text[start - 1] === '/') && text[parser.at] === '/';
  if (!wholeSegment) {
    steps.push({ kind: 'globstar' });
    return;
  }
  // `**/` matches any number of folders, including none.
  const fork = steps.length;
  steps.push({ kind: 'fork', to: [fork + 1, fork + 3] }, { kind: 'globstar' }, { kind: 'char', code: SLASH });
  parser.at += 1;
}

/** `/docs/**` also matches `/docs` itself. */
function parseFolderEnd(parser: Parser): void {
  const fork = parser.steps.length;
  parser.steps.push({ kind: 'fork', to: [fork + 1, fork + 3] }, { kind: 'char', code: SLASH }, { kind: 'globstar' });
  parser.at = parser.text.length;
}

function parseBraces(parser: Parser, depth: number): void {
  if (depth > MAX_BRACE_DEPTH) throw invalidPattern(parser.pattern, `braces are nested deeper than ${MAX_BRACE_DEPTH}`);
  const { steps, text } = parser;
  const fork = steps.length;
  const starts: number[] = [];
  const ends: number[] = [];
  steps.push({ kind: 'fork', to: [] });
  do {
    parser.at += 1;
    starts.push(steps.length);
    parseSequence(parser, depth);
    ends.push(steps.length);
    steps.push({ kind: 'fork', to: [] });
  } while (text[parser.at] === ',');
  if (text[parser.at] !== '}') throw invalidPattern(parser.pattern, 'unclosed {');
  if (starts.length < 2) throw invalidPattern(parser.pattern, 'braces need at least two alternatives, as in {a,b}');
  parser.at += 1;
  steps[fork] = { kind: 'fork', to: starts };
  for (const end of ends) steps[end] = { kind: 'fork', to: [steps.length] };
}

function parseClass(parser: Parser): void {
  const { text, pattern } = parser;
  const end = text.indexOf(']', parser.at + 1);
  if (end === -1) throw invalidPattern(pattern, 'unclosed [');
  const body = text.slice(parser.at + 1, end);
  if (body === '' || body.startsWith('!'))
    throw invalidPattern(pattern, 'brackets must list the characters to match, as in [abc]');
  if (/[^\x20-\x7e]|\//.test(body)) throw invalidPattern(pattern, 'brackets may only contain ASCII without slashes');
  parser.steps.push({ kind: 'one-of', codes: classCodes(body) });
  parser.at = end + 1;
}

function classCodes(body: string): ReadonlySet<number> {
  const codes = new Set<number>();
  for (let at = 0; at < body.length; at += 1) {
    const from = body.charCodeAt(at);
    const to = body[at + 1] === '-' && at + 2 < body.length ? body.charCodeAt(at + 2) : from;
    for (let code = from; code <= to && code - from < MAX_RANGE; code += 1) if (code !== SLASH) codes.add(code);
    if (to !== from) at += 2;
  }
  return codes;
}

/** Characters that the URL parser percent-encodes in a path are matched in that form. */
function parseLiteral(parser: Parser): void {
  const char = String.fromCodePoint(parser.text.codePointAt(parser.at) ?? 0);
  parser.at += char.length;
  const encoded = /^[!-~]$/.test(char) && !'"<>`'.includes(char) ? char : percentEncoded(char);
  for (let at = 0; at < encoded.length; at += 1) parser.steps.push({ kind: 'char', code: encoded.charCodeAt(at) });
}

function percentEncoded(char: string): string {
  const octets = [...new TextEncoder().encode(char)];
  return octets.map((octet) => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
