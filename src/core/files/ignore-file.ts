// Ignore files in .gitignore syntax: `*`, `?`, `[abc]`, `**/`, `/**`, `\` as escape, `!` to negate. Matching takes at most time
// proportional to text times pattern.

import { matchesGlob, type GlobStep, type Glob } from '../url/glob.ts';

interface IgnoreRule {
  readonly glob: Glob;
  /** `!pattern`: includes a file again that an earlier rule ignored. */
  readonly negated: boolean;
  readonly foldersOnly: boolean;
}

export interface IgnoreFile {
  /** The folder of the ignore file: empty for the root, otherwise with a final slash. */
  readonly base: string;
  readonly rules: readonly IgnoreRule[];
  /** Unsupported lines, and whether the file was truncated. */
  readonly warnings: readonly string[];
}

export type IgnoreVerdict = { readonly ignored: false } | { readonly ignored: true; readonly pattern: string };

/** Later ones win over earlier ones of the same folder. */
export const IGNORE_FILES: readonly string[] = ['.gitignore', '.pinakesignore'];
export const MAX_IGNORE_BYTES = 65_536;
const MAX_RULES = 500;
const MAX_PATTERN_CHARS = 512;
const MAX_WARNINGS = 10;

export function parseIgnoreFile(text: string, base: string): IgnoreFile {
  const rules: IgnoreRule[] = [];
  const warnings: string[] = [];
  for (const [nth, line] of text.split('\n').entries()) {
    const pattern = trimPattern(line);
    if (pattern === '' || pattern.startsWith('#')) continue;
    if (rules.length === MAX_RULES) {
      warnings.push(`only the first ${MAX_RULES} patterns are used`);
      break;
    }
    const rule = parseRule(pattern);
    if (rule !== null) rules.push(rule);
    else if (warnings.length < MAX_WARNINGS) warnings.push(`line ${nth + 1} is not supported`);
  }
  return { base, rules, warnings };
}

/** Trailing spaces are ignored, unless escaped with a backslash. */
function trimPattern(line: string): string {
  const bare = line.replace(/\r$/, '').trimEnd();
  return bare.endsWith('\\') && line.startsWith(' ', bare.length) ? `${bare} ` : bare;
}

function parseRule(pattern: string): IgnoreRule | null {
  const negated = pattern.startsWith('!');
  const named = negated ? pattern.slice(1) : pattern;
  const foldersOnly = named.endsWith('/');
  const body = foldersOnly ? named.replace(/\/{1,8}$/, '') : named;
  if (body === '' || body.length > MAX_PATTERN_CHARS) return null;
  const steps = compileIgnorePattern(body.replace(/^\//, ''), body.includes('/'));
  return steps === null ? null : { glob: { pattern, steps }, negated, foldersOnly };
}

/** `files` from the root down: the last matching rule decides. The folders above `path` have been checked before. */
export function ignoreVerdict(path: string, isFolder: boolean, files: readonly IgnoreFile[]): IgnoreVerdict {
  for (const { base, rules } of files.toReversed()) {
    if (!path.startsWith(base)) continue;
    const local = path.slice(base.length);
    const rule = rules.findLast(({ glob, foldersOnly }) => (isFolder || !foldersOnly) && matchesGlob(local, glob));
    if (rule !== undefined) {
      return rule.negated ? { ignored: false } : { ignored: true, pattern: rule.glob.pattern };
    }
  }
  return { ignored: false };
}

const SLASH = 0x2f;
const MAX_RANGE = 128;

interface ParseState {
  readonly text: string;
  at: number;
  readonly steps: GlobStep[];
}

/** `anchored` patterns start at the folder of their file, others in any folder below it. Null if the syntax is not supported. */
function compileIgnorePattern(text: string, anchored: boolean): readonly GlobStep[] | null {
  const state: ParseState = { text, at: 0, steps: [] };
  if (!anchored) pushAnyFolders(state.steps);
  while (state.at < text.length) {
    if (!readStep(state)) return null;
  }
  return state.steps;
}

function readStep(state: ParseState): boolean {
  const { text, at, steps } = state;
  const isStart = at === 0 || text[at - 1] === '/';
  if (isStart && text.startsWith('**/', at)) {
    pushAnyFolders(steps);
    state.at += 3;
  } else if (isStart && text.slice(at) === '**') {
    steps.push({ kind: 'globstar' });
    state.at += 2;
  } else if (text[at] === '*') {
    steps.push({ kind: 'star' });
    while (text[state.at] === '*') state.at += 1;
  } else if (text[at] === '?') {
    steps.push({ kind: 'any' });
    state.at += 1;
  } else if (text[at] === '[') return readClass(state);
  else {
    const skip = text[at] === '\\' && at + 1 < text.length ? 1 : 0;
    steps.push({ kind: 'char', code: text.charCodeAt(at + skip) });
    state.at += skip + 1;
  }
  return true;
}

/** Any number of folders, including none. */
function pushAnyFolders(steps: GlobStep[]): void {
  const fork = steps.length;
  steps.push({ kind: 'fork', to: [fork + 1, fork + 3] }, { kind: 'globstar' }, { kind: 'char', code: SLASH });
}

function readClass(state: ParseState): boolean {
  const end = state.text.indexOf(']', state.at + 2);
  const body = state.text.slice(state.at + 1, end);
  if (end === -1 || /^[!^]|[\\[/]/.test(body)) return false;
  const codes = new Set<number>();
  for (let at = 0; at < body.length; at += 1) {
    const from = body.charCodeAt(at);
    const isRange = body[at + 1] === '-' && at + 2 < body.length;
    const to = isRange ? body.charCodeAt(at + 2) : from;
    for (let code = from; code <= to && code - from < MAX_RANGE; code += 1) codes.add(code);
    if (isRange) at += 2;
  }
  state.steps.push({ kind: 'one-of', codes });
  state.at = end + 1;
  return true;
}
