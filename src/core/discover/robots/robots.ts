// What a robots.txt says: its rules by agent, delays and sitemaps, and the verdict on one URL, naming the line.

import { readRobotsLines, octetsToText, type Directive } from './robots-lines.ts';
import { escapePattern, matchesRobotsPattern, robotsPath } from '../robots-pattern.ts';

/** Our name in robots.txt and in the User-Agent header. */
export const PRODUCT_TOKEN = 'Pinakes';

export interface RobotsRule {
  readonly effect: 'allow' | 'disallow';
  readonly pattern: string;
  /** 1-based line of the file. */
  readonly line: number;
}

/** Rules in the file's order; groups that name the same agent stay separate here and are merged by the verdict. */
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
  /** Lines that were read and could not be obeyed. */
  readonly ignored: readonly { readonly line: number; readonly why: string }[];
  /** How many lines were directives that we know. */
  readonly directives: number;
  readonly truncated: boolean;
}

export type RobotsVerdict =
  | { readonly allowed: true; readonly rule: RobotsRule | null }
  | { readonly allowed: false; readonly rule: RobotsRule };

/** Longer delays are answered with this one: the source is slow, not lost. */
export const MAX_CRAWL_DELAY_MS = 300_000;

export function parseRobots(file: Uint8Array | string): Robots {
  const { directives, truncated } = readRobotsLines(typeof file === 'string' ? new TextEncoder().encode(file) : file);
  const known = directives.filter(({ key }) => key !== 'unknown');
  const { delays, ignored } = readDelays(known);
  return {
    groups: readGroups(known),
    delays,
    sitemaps: known
      .filter(({ key }) => key === 'sitemap')
      .map(({ value, line }) => ({ value: octetsToText(value), line })),
    ignored,
    directives: known.length,
    truncated,
  };
}

/** Only allow and disallow close a group's header: sitemaps and unknown lines may stand between agents. */
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
      agents.add(agentOf(value));
    } else if ((key === 'allow' || key === 'disallow') && agents.size > 0) {
      rules.push({ effect: key, pattern: escapePattern(value), line });
    }
  }
  return groups;
}

/** A delay belongs to the agents named just above it, even where the group goes on with another agent. */
function readDelays(directives: readonly Directive[]): Pick<Robots, 'delays' | 'ignored'> {
  const delays: CrawlDelay[] = [];
  const ignored: { line: number; why: string }[] = [];
  let agents = new Set<string>();
  let inHeader = false;
  for (const { key, value, line } of directives) {
    if (key === 'user-agent') {
      if (!inHeader) agents = new Set();
      agents.add(agentOf(value));
      inHeader = true;
      continue;
    }
    if (key !== 'sitemap') inHeader = false;
    if (key !== 'crawl-delay') continue;
    const seconds = /^\d{1,12}(?:\.\d{0,12})?$|^\.\d{1,12}$/.test(value) ? Number(value) : Number.NaN;
    if (Number.isNaN(seconds))
      ignored.push({ line, why: `crawl-delay ${octetsToText(value).slice(0, 40)} is not a number of seconds` });
    else delays.push({ agents, delayMs: Math.round(seconds * 1000), line });
  }
  return { delays, ignored };
}

/** The leading product token; `*` alone or before white space is everyone. */
function agentOf(value: string): string {
  if (/^\*(?:\s|$)/.test(value)) return '*';
  return /^[a-zA-Z_-]*/.exec(value)?.[0].toLowerCase() ?? '';
}

/** A name that robots.txt can address. */
export function isProductToken(name: string): boolean {
  return /^[a-zA-Z_-]+$/.test(name);
}

/**
 * The longest matching rule decides, allow wins a tie. A group that names the agent replaces the rules for `*`,
 * even when it is empty. `url` is expected as the WHATWG parser writes it.
 */
export function robotsVerdict(robots: Robots, url: string, agent: string = PRODUCT_TOKEN): RobotsVerdict {
  const path = robotsPath(url);
  let allow: RobotsRule | null = null;
  let disallow: RobotsRule | null = null;
  for (const group of groupsFor(robots, agent)) {
    for (const rule of group.rules) {
      const matching = matchingRule(rule, path);
      if (matching === null) continue;
      if (matching.effect === 'allow') allow = longer(allow, matching);
      else disallow = longer(disallow, matching);
    }
  }
  if (disallow === null || disallow.pattern === '') return { allowed: true, rule: allow };
  if (allow !== null && allow.pattern.length >= disallow.pattern.length) return { allowed: true, rule: allow };
  return { allowed: false, rule: disallow };
}

function groupsFor(robots: Robots, agent: string): readonly RobotsGroup[] {
  const name = agent.toLowerCase();
  const named = robots.groups.filter(({ agents }) => name !== '' && name !== '*' && agents.has(name));
  return named.length > 0 ? named : robots.groups.filter(({ agents }) => agents.has('*'));
}

/** An allow rule for an index file also opens its folder, as in Google's parser. */
function matchingRule(rule: RobotsRule, path: string): RobotsRule | null {
  if (matchesRobotsPattern(path, rule.pattern)) return rule;
  if (rule.effect !== 'allow') return null;
  const slash = rule.pattern.lastIndexOf('/');
  if (slash === -1 || !rule.pattern.startsWith('/index.htm', slash)) return null;
  const pattern = `${rule.pattern.slice(0, slash + 1)}$`;
  return matchesRobotsPattern(path, pattern) ? { ...rule, pattern } : null;
}

function longer(best: RobotsRule | null, rule: RobotsRule): RobotsRule {
  return best === null || rule.pattern.length > best.pattern.length ? rule : best;
}

/** Milliseconds between the starts of two requests, capped; null where the file asks for none. */
export function crawlDelayMs(robots: Robots, agent: string = PRODUCT_TOKEN): number | null {
  const name = agent.toLowerCase();
  const named = robots.groups.some(({ agents }) => agents.has(name)) ? name : '*';
  let longest: number | null = null;
  for (const { agents, delayMs } of robots.delays) {
    if (agents.has(named)) longest = Math.max(longest ?? 0, Math.min(delayMs, MAX_CRAWL_DELAY_MS));
  }
  return longest;
}
