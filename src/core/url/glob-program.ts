// Turns the text of a glob into steps of a small machine, refusing whatever is not in our subset:
// `*` within a segment, `**` across segments, `?` one character, `{a,b}` either, `[abc]` or `[a-z]` one of.

import { pinakesError, type PinakesError } from '../model/errors.ts';
import { normalisePercent } from './percent-encoding.ts';

export type GlobStep =
  | { readonly kind: 'char'; readonly code: number }
  | { readonly kind: 'one-of'; readonly codes: ReadonlySet<number> }
  /** Any one character but a slash. */
  | { readonly kind: 'any' }
  /** Stays while the text has no slash (`star`) or whatever it has (`globstar`), and may be left at any time. */
  | { readonly kind: 'star' | 'globstar' }
  /** Goes on at each of these steps at once. */
  | { readonly kind: 'fork'; readonly to: readonly number[] };

export const MAX_GLOB_LENGTH = 1024;
const MAX_BRACE_DEPTH = 4;
const MAX_RANGE = 128;
const SLASH = 0x2f;

export function compileGlobProgram(pattern: string): readonly GlobStep[] {
  const why = refusal(pattern);
  if (why !== null) throw invalid(pattern, why);
  const parser: Parser = { pattern, text: normalisePercent(pattern), at: 0, steps: [] };
  parseSequence(parser, 0);
  return parser.steps;
}

interface Parser {
  readonly pattern: string;
  readonly text: string;
  at: number;
  readonly steps: GlobStep[];
}

function invalid(pattern: string, why: string): PinakesError {
  return pinakesError('pattern.invalid', { pattern: pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern, why });
}

/** Forms of other pattern languages, each with a sentence, so that nobody's regular expression is read as a glob. */
const FOREIGN: ReadonlyArray<readonly [RegExp, string]> = [
  [/[*+?@!]\(/, 'groups such as +(a|b) are not supported, write {a,b}'],
  [/\\/, 'a backslash has no meaning here, write [*] for a star itself'],
  [/\^|\||\)[*+?{]|\(\?/, 'it looks like a regular expression; patterns are globs with *, **, ?, {a,b} and [abc]'],
  [/\.\.(?=[^/{}]*\})/, 'ranges in braces are not supported'],
  [/\[\[|\[:/, 'named character classes are not supported'],
  [/#/, 'the part of a URL after # is never compared'],
  [/\p{Cc}/u, 'it contains a control character'],
];

function refusal(pattern: string): string | null {
  if (pattern === '') return 'it is empty';
  if (pattern.length > MAX_GLOB_LENGTH) return `it is longer than ${MAX_GLOB_LENGTH} characters`;
  return FOREIGN.find(([form]) => form.test(pattern))?.[1] ?? null;
}

/** Reads until the end, or inside braces until `,` or `}`, which it leaves to the caller. */
function parseSequence(parser: Parser, depth: number): void {
  const { text, steps } = parser;
  while (parser.at < text.length) {
    const char = text[parser.at];
    if (depth > 0 && (char === ',' || char === '}')) return;
    if (char === '*') parseStars(parser);
    else if (char === '{') parseBraces(parser, depth + 1);
    else if (char === '[') parseClass(parser);
    else if (char === '}' || char === ']') throw invalid(parser.pattern, `a ${char} has no beginning`);
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
  // `**/` is any number of folders, none included.
  const fork = steps.length;
  steps.push({ kind: 'fork', to: [fork + 1, fork + 3] }, { kind: 'globstar' }, { kind: 'char', code: SLASH });
  parser.at += 1;
}

/** `/docs/**` is also `/docs` itself. */
function parseFolderEnd(parser: Parser): void {
  const fork = parser.steps.length;
  parser.steps.push({ kind: 'fork', to: [fork + 1, fork + 3] }, { kind: 'char', code: SLASH }, { kind: 'globstar' });
  parser.at = parser.text.length;
}

function parseBraces(parser: Parser, depth: number): void {
  if (depth > MAX_BRACE_DEPTH) throw invalid(parser.pattern, `braces are nested deeper than ${MAX_BRACE_DEPTH}`);
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
  if (text[parser.at] !== '}') throw invalid(parser.pattern, 'a { has no end');
  if (starts.length < 2) throw invalid(parser.pattern, 'braces need at least two alternatives, as in {a,b}');
  parser.at += 1;
  steps[fork] = { kind: 'fork', to: starts };
  for (const end of ends) steps[end] = { kind: 'fork', to: [steps.length] };
}

function parseClass(parser: Parser): void {
  const { text, pattern } = parser;
  const end = text.indexOf(']', parser.at + 1);
  if (end === -1) throw invalid(pattern, 'a [ has no end');
  const body = text.slice(parser.at + 1, end);
  if (body === '' || body.startsWith('!')) throw invalid(pattern, 'brackets list the wanted characters, as in [abc]');
  if (/[^\x20-\x7e]|\//.test(body)) throw invalid(pattern, 'brackets may hold plain ASCII without slashes only');
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

/** Characters that the URL parser percent-encodes in a path are compared in that form. */
function parseLiteral(parser: Parser): void {
  const char = String.fromCodePoint(parser.text.codePointAt(parser.at) ?? 0);
  parser.at += char.length;
  const spelled = /^[!-~]$/.test(char) && !'"<>`'.includes(char) ? char : percentEncoded(char);
  for (let at = 0; at < spelled.length; at += 1) parser.steps.push({ kind: 'char', code: spelled.charCodeAt(at) });
}

function percentEncoded(char: string): string {
  const octets = [...new TextEncoder().encode(char)];
  return octets.map((octet) => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
