// Ignore files, in the syntax of .gitignore: which files of a folder are left out. Time is bounded by text times pattern.

import { matchesGlob, type Glob } from '../url/glob.ts';
import { ignoreSteps } from '../local/ignore-pattern.ts';

interface IgnoreRule {
  readonly glob: Glob;
  /** `!pattern`: takes a file back in that an earlier rule left out. */
  readonly takesBack: boolean;
  readonly foldersOnly: boolean;
}

export interface IgnoreFile {
  /** The folder that it lies in: empty for the root, else with a slash at its end. */
  readonly base: string;
  readonly rules: readonly IgnoreRule[];
  /** Lines that were not understood, and whether the file was cut. */
  readonly warnings: readonly string[];
}

export type IgnoreVerdict = { readonly ignored: false } | { readonly ignored: true; readonly pattern: string };

export const MAX_IGNORE_BYTES = 65_536;
const MAX_RULES = 500;
const MAX_PATTERN = 512;
const MOST_WARNINGS = 10;

export function readIgnoreFile(text: string, base: string): IgnoreFile {
  const rules: IgnoreRule[] = [];
  const warnings: string[] = [];
  for (const [nth, line] of text.split('\n').entries()) {
    const pattern = withoutEdges(line);
    if (pattern === '' || pattern.startsWith('#')) continue;
    if (rules.length === MAX_RULES) {
      warnings.push(`only the first ${MAX_RULES} patterns are used`);
      break;
    }
    const rule = ruleOf(pattern);
    if (rule !== null) rules.push(rule);
    else if (warnings.length < MOST_WARNINGS) warnings.push(`line ${nth + 1} is not understood`);
  }
  return { base, rules, warnings };
}

/** Spaces at the end do not count, unless a backslash keeps them. */
function withoutEdges(line: string): string {
  const bare = line.replace(/\r$/, '').trimEnd();
  return bare.endsWith('\\') && line.startsWith(' ', bare.length) ? `${bare} ` : bare;
}

function ruleOf(pattern: string): IgnoreRule | null {
  const takesBack = pattern.startsWith('!');
  const named = takesBack ? pattern.slice(1) : pattern;
  const foldersOnly = named.endsWith('/');
  const body = foldersOnly ? named.replace(/\/{1,8}$/, '') : named;
  if (body === '' || body.length > MAX_PATTERN) return null;
  const steps = ignoreSteps(body.replace(/^\//, ''), body.includes('/'));
  return steps === null ? null : { glob: { pattern, steps }, takesBack, foldersOnly };
}

/** `files` from the root down: the last rule that matches decides. The folders above `path` have been judged before. */
export function ignoreVerdict(path: string, isFolder: boolean, files: readonly IgnoreFile[]): IgnoreVerdict {
  for (const { base, rules } of files.toReversed()) {
    if (!path.startsWith(base)) continue;
    const local = path.slice(base.length);
    const rule = rules.findLast(({ glob, foldersOnly }) => (isFolder || !foldersOnly) && matchesGlob(local, glob));
    if (rule !== undefined) {
      return rule.takesBack ? { ignored: false } : { ignored: true, pattern: rule.glob.pattern };
    }
  }
  return { ignored: false };
}
