// Parses robots.txt (rules by agent, crawl delays, sitemaps) and decides about single URLs, with the line that decided.
// Rules follow RFC 9309 as implemented by Google.

import { parseAgent, withAgents } from './robots-agents.ts';
import { octetsToText, parseRobotsLines, type Directive } from './robots-lines.ts';
import { escapePattern } from './robots-pattern.ts';
import { compileRules, type CompiledRules, type RobotsRule } from './robots-rules.ts';
import { isUsageLine, readTerms, readUsageRules, type UsageRule, type UsageTerm } from './usage-lines.ts';

export type { RobotsRule };

/** Our product token in robots.txt and in the User-Agent header. */
export const PRODUCT_TOKEN = 'Pinakes';

/** Rules in the order of the file; groups for the same agent stay separate here and are merged by the verdict. */
export interface RobotsGroup {
  /** Product tokens in lower case, `*` for everyone. */
  readonly agents: ReadonlySet<string>;
  readonly rules: readonly RobotsRule[];
}

export interface CrawlDelay {
  readonly agents: ReadonlySet<string>;
  readonly delayMs: number;
  readonly line: number;
}

export interface Robots {
  readonly groups: readonly RobotsGroup[];
  readonly delays: readonly CrawlDelay[];
  /** Values of Sitemap lines as written. */
  readonly sitemaps: readonly { readonly value: string; readonly line: number }[];
  /** The site's terms for the use of its content. */
  readonly terms: readonly UsageTerm[];
  /** The terms that allow or disallow pages as input of AI. */
  readonly usage: readonly UsageRule[];
  /** Lines that were understood but cannot be obeyed. */
  readonly ignored: readonly { readonly line: number; readonly reason: string }[];
  /** Number of lines with known directives. */
  readonly directives: number;
  readonly truncated: boolean;
}

export type RobotsVerdict =
  | { readonly allowed: true; readonly rule: RobotsRule | null }
  | { readonly allowed: false; readonly rule: RobotsRule };

/** Longer delays are capped: the source becomes slow, not unreachable. */
export const MAX_CRAWL_DELAY_MS = 300_000;

export function parseRobots(file: Uint8Array | string): Robots {
  const { directives, truncated } = parseRobotsLines(typeof file === 'string' ? new TextEncoder().encode(file) : file);
  const known = directives.filter(({ key }) => key !== 'unknown');
  const recognized = known.filter((directive) => !isUsageLine(directive));
  const { delays, ignored } = readDelays(recognized);
  return {
    groups: readGroups(recognized),
    delays,
    sitemaps: recognized
      .filter(({ key }) => key === 'sitemap')
      .map(({ value, line }) => ({ value: octetsToText(value), line })),
    terms: readTerms(known),
    usage: readUsageRules(known),
    ignored,
    directives: known.length,
    truncated,
  };
}

/** Only allow and disallow end the header of a group: sitemaps and unknown lines may occur between agents. */
function readGroups(directives: readonly Directive[]): RobotsGroup[] {
  const groups: RobotsGroup[] = [];
  let agents = new Set<string>();
  let rules: RobotsRule[] = [];
  for (const { key, value, line } of directives) {
    if (key === 'user-agent') {
      if (rules.length > 0) {
        agents = new Set();
        rules = [];
      }
      if (agents.size === 0) groups.push({ agents, rules });
      agents.add(parseAgent(value));
    } else if ((key === 'allow' || key === 'disallow') && agents.size > 0) {
      rules.push({ effect: key, pattern: escapePattern(value), line });
    }
  }
  return groups;
}

/** A delay applies to the agents directly above it, even if the group continues with another agent. */
function readDelays(directives: readonly Directive[]): Pick<Robots, 'delays' | 'ignored'> {
  const delays: CrawlDelay[] = [];
  const ignored: { line: number; reason: string }[] = [];
  for (const { key, value, line, agents } of withAgents(directives)) {
    if (key !== 'crawl-delay') continue;
    const seconds = /^\d{1,12}(?:\.\d{0,12})?$|^\.\d{1,12}$/.test(value) ? Number(value) : Number.NaN;
    if (Number.isNaN(seconds))
      ignored.push({ line, reason: `crawl-delay ${octetsToText(value).slice(0, 40)} is not a number of seconds` });
    else delays.push({ agents, delayMs: Math.round(seconds * 1000), line });
  }
  return { delays, ignored };
}

/**
 * The longest matching rule decides, allow wins a tie. A group that names the agent replaces the rules for `*`,
 * even when it is empty. `url` is expected as the WHATWG parser writes it.
 */
export function robotsVerdict(robots: Robots, url: string, agent: string = PRODUCT_TOKEN): RobotsVerdict {
  const rule = compiledRules(robots, agent).match(robotsPath(url));
  if (rule === null || (rule.effect === 'disallow' && rule.pattern === '')) return { allowed: true, rule: null };
  return rule.effect === 'allow' ? { allowed: true, rule } : { allowed: false, rule };
}

/** How many rules are obeyed more strictly than they are written, because there are too many. */
export function simplifiedRules(robots: Robots, agent: string = PRODUCT_TOKEN): number {
  return compiledRules(robots, agent).simplified;
}

/** A file is compiled once for each agent and dropped with it. */
const compiled = new WeakMap<Robots, Map<string, CompiledRules>>();

function compiledRules(robots: Robots, agent: string): CompiledRules {
  const byAgent = compiled.get(robots) ?? new Map<string, CompiledRules>();
  compiled.set(robots, byAgent);
  const known = byAgent.get(agent);
  if (known !== undefined) return known;
  const rules = compileRules(groupsFor(robots, agent).flatMap((group) => group.rules));
  byAgent.set(agent, rules);
  return rules;
}

function groupsFor(robots: Robots, agent: string): readonly RobotsGroup[] {
  const name = agent.toLowerCase();
  const named = robots.groups.filter(({ agents }) => name !== '' && name !== '*' && agents.has(name));
  return named.length > 0 ? named : robots.groups.filter(({ agents }) => agents.has('*'));
}

/** Milliseconds between the starts of two requests, capped; null if the file has no crawl delay. */
export function crawlDelayMs(robots: Robots, agent: string = PRODUCT_TOKEN): number | null {
  const name = agent.toLowerCase();
  const named = robots.groups.some(({ agents }) => agents.has(name)) ? name : '*';
  let longest: number | null = null;
  for (const { agents, delayMs } of robots.delays) {
    if (agents.has(named)) longest = Math.max(longest ?? 0, Math.min(delayMs, MAX_CRAWL_DELAY_MS));
  }
  return longest;
}

/** Path, parameters and query of a URL, even of one that the WHATWG parser would reject. Never empty. */
export function robotsPath(url: string): string {
  const from = url.startsWith('//') ? 2 : 0;
  const early = indexOfAny(url, from);
  const scheme = url.indexOf('://', from);
  const authority = scheme === -1 || (early !== -1 && early < scheme) ? from : scheme + 3;
  const start = indexOfAny(url, authority);
  if (start === -1) return '/';
  const hash = url.indexOf('#', from);
  if (hash !== -1 && hash < start) return '/';
  const path = url.slice(start, hash === -1 ? url.length : hash);
  return path.startsWith('/') ? path : `/${path}`;
}

function indexOfAny(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '/' || char === '?' || char === ';') return at;
  }
  return -1;
}
