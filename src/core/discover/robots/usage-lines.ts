// Reads the lines of robots.txt that state terms of use: Content-Signal, Content-Usage of the IETF draft, and License of RSL.
//
// `ai-input=no` is a rule for the pages below its path, or for all pages. The other keys, such as `ai-train`, say nothing about a library
// that is searched: they are shown, and no rule follows from them.

import { cleanLine } from '../../extract/decode/clean-text.ts';
import { withAgents } from './robots-agents.ts';
import { octetsToText, type Directive } from './robots-lines.ts';
import { escapePattern } from './robots-pattern.ts';
import type { RobotsRule } from './robots-rules.ts';

/** A line as it is shown to people. */
export interface UsageTerm {
  readonly name: 'Content-Signal' | 'Content-Usage' | 'License';
  readonly value: string;
  /** Agents of its group; empty outside any group. */
  readonly agents: ReadonlySet<string>;
  readonly line: number;
}

/** A line that allows or disallows pages as input of AI. */
export interface UsageRule extends RobotsRule {
  readonly agents: ReadonlySet<string>;
  /** The line as the file has it, without what a terminal would obey. */
  readonly text: string;
}

const NAMES = { 'content-signal': 'Content-Signal', 'content-usage': 'Content-Usage', license: 'License' } as const;

/** Such a line says nothing about which pages may be fetched. */
export function isUsageLine({ key }: Directive): boolean {
  return key in NAMES;
}

const MAX_TERMS = 20;
const MAX_TERM_CHARS = 300;

/** A file may be hostile, so few are kept. */
export function readTerms(directives: readonly Directive[]): UsageTerm[] {
  const terms: UsageTerm[] = [];
  for (const { key, value, line, agents } of withAgents(directives)) {
    if (!(key in NAMES) || value === '' || terms.length === MAX_TERMS) continue;
    const name = NAMES[key as keyof typeof NAMES];
    terms.push({ name, value: octetsToText(value).slice(0, MAX_TERM_CHARS), agents, line });
  }
  return terms;
}

/** All of them: a file with many lines is obeyed too. */
export function readUsageRules(directives: readonly Directive[]): UsageRule[] {
  const rules: UsageRule[] = [];
  for (const { key, value, line, agents } of withAgents(directives)) {
    if (key !== 'content-signal' && key !== 'content-usage') continue;
    const path = value.startsWith('/') ? (/^[^ \t]*/.exec(value)?.[0] ?? '') : '';
    const effect = aiInput(value.slice(path.length));
    if (effect === null) continue;
    const shown = cleanLine(octetsToText(value).slice(0, MAX_TERM_CHARS));
    rules.push({ effect, pattern: escapePattern(path), line, agents, text: `${NAMES[key]}: ${shown}` });
  }
  return rules;
}

const DENIALS = new Set(['no', 'n', '?0', 'false', '0', 'disallow']);
const PERMISSIONS = new Set(['yes', 'y', '?1', 'true', '1', 'allow']);

/** Null if the line does not mention it. A denial counts more than a permission. */
function aiInput(preferences: string): RobotsRule['effect'] | null {
  let effect: RobotsRule['effect'] | null = null;
  for (const preference of preferences.toLowerCase().split(/[,;]/)) {
    const [key = '', value = ''] = preference.split('=').map((part) => part.trim());
    if (key !== 'ai-input') continue;
    const bare = value.replaceAll('"', '');
    if (DENIALS.has(bare)) return 'disallow';
    if (PERMISSIONS.has(bare)) effect = 'allow';
  }
  return effect;
}
