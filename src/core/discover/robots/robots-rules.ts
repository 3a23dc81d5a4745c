// Compiles the rules of a robots.txt, so that a verdict takes about a microsecond however many rules there are: 34,000 of
// them fit into the file, and a page may have 5,000 links.
//
// Rules are grouped by their literal start, and the groups are sorted. All literals that a path starts with are then in
// one chain: the last group that is not after the path, and the groups whose literal is a prefix of that one.

import { compileRobotsPattern, matchesAfterLiteral, type RobotsPattern } from './robots-pattern.ts';
import { compareText } from '../../text/compare-text.ts';

export interface RobotsRule {
  readonly effect: 'allow' | 'disallow';
  readonly pattern: string;
  /** 1-based line of the file. */
  readonly line: number;
}

export interface CompiledRules {
  /** The rule that decides about a path: the longest one that matches, allow before disallow. Null if none does. */
  match(path: string): RobotsRule | null;
  /** How many rules are not applied as they are written, because the file has too many stars. */
  readonly simplified: number;
}

/**
 * Rules with a `*` have to be tried one by one, so a file may have so many stars. After them, a disallow rule counts for
 * every path that starts like it, and an allow rule with a `*` does not count: such a file is obeyed too much, never too
 * little.
 */
const MAX_STARS = 1000;

interface Candidate {
  readonly rule: RobotsRule;
  /** Null if every path that starts with the literal matches. */
  readonly rest: RobotsPattern | null;
  readonly order: number;
}

interface Group {
  readonly literal: string;
  /** Candidates that take precedence come first. */
  readonly candidates: Candidate[];
  /** The group with the longest literal that this one starts with; null if there is none. */
  parent: Group | null;
}

export function compileRules(rules: readonly RobotsRule[]): CompiledRules {
  const { groups, simplified } = groupByLiteral(rules);
  for (const { candidates } of groups) candidates.sort(byPrecedence);
  linkParents(groups);
  return {
    simplified,
    match(path) {
      let group = lastNotAfter(groups, path);
      const shared = group === null ? 0 : sharedLength(group.literal, path);
      let best: Candidate | null = null;
      for (; group !== null; group = group.parent) {
        if (group.literal.length <= shared) best = firstMatch(group, path, best);
      }
      return best?.rule ?? null;
    },
  };
}

function groupByLiteral(rules: readonly RobotsRule[]): { readonly groups: Group[]; readonly simplified: number } {
  const groups = new Map<string, Group>();
  const seen = new Set<string>();
  let stars = 0;
  let simplified = 0;
  for (const [order, rule] of rules.flatMap(withIndexFolder).entries()) {
    const key = `${rule.effect} ${rule.pattern}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const pattern = compileRobotsPattern(rule.pattern);
    const ownStars = pattern.segments.length + Number(pattern.tail !== null);
    stars += ownStars;
    const isOverLimit = ownStars > 0 && stars > MAX_STARS;
    simplified += Number(isOverLimit);
    if (isOverLimit && rule.effect === 'allow') continue;
    const rest = isOverLimit || (ownStars === 0 && !pattern.anchored) ? null : pattern;
    const { literal } = pattern;
    const group = groups.get(literal) ?? { literal, candidates: [], parent: null };
    groups.set(literal, group);
    group.candidates.push({ rule, rest, order });
  }
  return { groups: [...groups.values()].sort((a, b) => compareText(a.literal, b.literal)), simplified };
}

/** An allow rule for an index file also allows its folder, as in Google's parser. */
function withIndexFolder(rule: RobotsRule): readonly RobotsRule[] {
  const { effect, pattern } = rule;
  const slash = pattern.lastIndexOf('/');
  if (effect !== 'allow' || slash === -1 || !pattern.startsWith('/index.htm', slash)) return [rule];
  return [rule, { ...rule, pattern: `${pattern.slice(0, slash + 1)}$` }];
}

/** A literal comes before everything that starts with it, so the open ones are a stack. */
function linkParents(groups: readonly Group[]): void {
  const open: Group[] = [];
  for (const group of groups) {
    while (open.length > 0 && !group.literal.startsWith(open.at(-1)?.literal ?? '')) open.pop();
    group.parent = open.at(-1) ?? null;
    open.push(group);
  }
}

function lastNotAfter(groups: readonly Group[], path: string): Group | null {
  let low = 0;
  let high = groups.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((groups[middle]?.literal ?? '') <= path) low = middle + 1;
    else high = middle;
  }
  return groups[low - 1] ?? null;
}

function sharedLength(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at;
}

function firstMatch({ candidates }: Group, path: string, best: Candidate | null): Candidate | null {
  for (const candidate of candidates) {
    if (best !== null && byPrecedence(best, candidate) <= 0) return best;
    if (candidate.rest === null || matchesAfterLiteral(path, candidate.rest)) return candidate;
  }
  return best;
}

function byPrecedence(a: Candidate, b: Candidate): number {
  const longer = b.rule.pattern.length - a.rule.pattern.length;
  if (longer !== 0) return longer;
  if (a.rule.effect !== b.rule.effect) return a.rule.effect === 'allow' ? -1 : 1;
  return a.order - b.order;
}
