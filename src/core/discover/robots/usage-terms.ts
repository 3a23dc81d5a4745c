// Decides whether the terms of use in robots.txt allow a page as input of AI, with the line that decided.
//
// A line in the group that names us, or in that of everyone, decides before one outside any group. Among lines of equal standing the
// one with the longest path decides, and of two with the same path the one that disallows.

import type { PageUrl } from '../../model/page-url.ts';
import type { RobotsAccess } from './robots-access.ts';
import { PRODUCT_TOKEN, robotsPath, type Robots } from './robots.ts';
import { compileRules, type CompiledRules } from './robots-rules.ts';
import type { UsageRule } from './usage-lines.ts';

export type UsageVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly line: number; readonly rule: string };

/** The lines that concern the agent, as the file has them. License lines concern everyone. */
export function usageTerms(robots: Robots, agent: string = PRODUCT_TOKEN): readonly string[] {
  const named = groupName(robots, agent);
  const concerning = robots.terms.filter(
    ({ name, agents }) => name === 'License' || agents.size === 0 || agents.has(named),
  );
  return [...new Set(concerning.map((term) => `${term.name}: ${term.value}`))];
}

/** The same for what a crawl has of the file; null if it cannot be read. */
export function statedTerms(access: RobotsAccess): readonly string[] | null {
  if ('robots' in access) return usageTerms(access.robots);
  return access.kind === 'allow-all' ? [] : null;
}

/** A file that cannot be read states nothing, and closes the site anyway. */
export function usageVerdict(access: RobotsAccess, url: PageUrl, agent: string = PRODUCT_TOKEN): UsageVerdict {
  if (!('robots' in access) || access.robots.usage.length === 0) return ALLOWED;
  const path = robotsPath(url);
  for (const { rules, byLine } of compiledLayers(access.robots, agent)) {
    const match = rules.match(path);
    if (match === null) continue;
    if (match.effect === 'allow') return ALLOWED;
    return { allowed: false, line: match.line, rule: `robots.txt line ${match.line}: ${byLine.get(match.line) ?? ''}` };
  }
  return ALLOWED;
}

const ALLOWED: UsageVerdict = { allowed: true };

/** The group that counts: that of the agent if there is one, even without a rule. */
function groupName({ groups }: Robots, agent: string): string {
  const name = agent.toLowerCase();
  return groups.some(({ agents }) => agents.has(name)) ? name : '*';
}

interface Layer {
  readonly rules: CompiledRules;
  readonly byLine: ReadonlyMap<number, string>;
}

/** A file is compiled once for each agent and dropped with it. */
const compiled = new WeakMap<Robots, Map<string, readonly Layer[]>>();

function compiledLayers(robots: Robots, agent: string): readonly Layer[] {
  const byAgent = compiled.get(robots) ?? new Map<string, readonly Layer[]>();
  compiled.set(robots, byAgent);
  const known = byAgent.get(agent);
  if (known !== undefined) return known;
  const named = groupName(robots, agent);
  const layers = [
    robots.usage.filter(({ agents }) => agents.has(named)),
    robots.usage.filter(({ agents }) => agents.size === 0),
  ].map((rules) => ({
    rules: compileRules(withoutContradictions(rules)),
    byLine: new Map(rules.map(({ line, text }) => [line, text])),
  }));
  byAgent.set(agent, layers);
  return layers;
}

/** Allow wins a tie between rules for fetching. Here it must not. */
function withoutContradictions(rules: readonly UsageRule[]): readonly UsageRule[] {
  const denied = new Set(rules.filter(({ effect }) => effect === 'disallow').map(({ pattern }) => pattern));
  return rules.filter(({ effect, pattern }) => effect === 'disallow' || !denied.has(pattern));
}
