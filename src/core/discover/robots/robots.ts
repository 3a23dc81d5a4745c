// Parses robots.txt (rules by agent, crawl delays, sitemaps) and decides about single URLs, with the line that decided.
// Patterns follow RFC 9309 as implemented by Google: `*` is any run of characters, a final `$` is the end, everything else is
// compared octet by octet.

import { octetsToText, parseRobotsLines, type Directive } from './robots-lines.ts';

/** Our product token in robots.txt and in the User-Agent header. */
export const PRODUCT_TOKEN = 'Pinakes';

export interface RobotsRule {
  readonly effect: 'allow' | 'disallow';
  readonly pattern: string;
  /** 1-based line of the file. */
  readonly line: number;
}

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
  /** Lines that were understood but cannot be obeyed. */
  readonly ignored: readonly { readonly line: number; readonly why: string }[];
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
  const recognized = directives.filter(({ key }) => key !== 'unknown');
  const { delays, ignored } = readDelays(recognized);
  return {
    groups: readGroups(recognized),
    delays,
    sitemaps: recognized
      .filter(({ key }) => key === 'sitemap')
      .map(({ value, line }) => ({ value: octetsToText(value), line })),
    ignored,
    directives: recognized.length,
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
  const ignored: { line: number; why: string }[] = [];
  let agents = new Set<string>();
  let inHeader = false;
  for (const { key, value, line } of directives) {
    if (key === 'user-agent') {
      if (!inHeader) agents = new Set();
      agents.add(parseAgent(value));
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
function parseAgent(value: string): string {
  if (/^\*(?:\s|$)/.test(value)) return '*';
  return /^[a-zA-Z_-]*/.exec(value)?.[0].toLowerCase() ?? '';
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

/** An allow rule for an index file also allows its folder, as in Google's parser. */
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

/**
 * Octets above 127 become percent-encoded and hexadecimal digits upper case, so a rule and a URL that was
 * serialised by the WHATWG parser agree. Unreserved characters are not decoded. `octets` has one octet per character.
 */
export function escapePattern(octets: string): string {
  return octets
    .replace(/%[0-9a-fA-F]{2}/g, (escape) => escape.toUpperCase())
    .replace(/[\u0080-\u00ff]/g, (octet) => `%${octet.charCodeAt(0).toString(16).toUpperCase()}`);
}

export function matchesRobotsPattern(path: string, pattern: string): boolean {
  const anchored = pattern.endsWith('$');
  const [first = '', ...others] = (anchored ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(first)) return false;
  if (!anchored) return matchSegments(path, others, first.length) !== -1;

  const tail = others.pop();
  if (tail === undefined) return path.length === first.length;
  const at = matchSegments(path, others, first.length);
  return at !== -1 && path.length - tail.length >= at && path.endsWith(tail);
}

/** Greedy: each segment matches at its first occurrence, which is enough because only `*` is between segments. */
function matchSegments(path: string, segments: readonly string[], from: number): number {
  let at = from;
  for (const segment of segments) {
    const found = indexOfSegment(path, segment, at);
    if (found === -1) return -1;
    at = found + segment.length;
  }
  return at;
}

/** `indexOf` takes quadratic time for long needles on hostile text; above this length a KMP table is used instead. */
const MAX_NATIVE_SEARCH_CHARS = 32;

function indexOfSegment(path: string, segment: string, from: number): number {
  if (segment === '' || segment.length > path.length - from) return segment === '' ? from : -1;
  return segment.length <= MAX_NATIVE_SEARCH_CHARS ? path.indexOf(segment, from) : indexOfLong(path, segment, from);
}

/** Knuth-Morris-Pratt: linear for any text. */
function indexOfLong(path: string, segment: string, from: number): number {
  const borders = borderTable(segment);
  let matched = 0;
  for (let at = from; at < path.length; at += 1) {
    while (matched > 0 && path[at] !== segment[matched]) matched = borders[matched - 1] ?? 0;
    if (path[at] === segment[matched]) matched += 1;
    if (matched === segment.length) return at - matched + 1;
  }
  return -1;
}

function borderTable(segment: string): Uint32Array {
  const borders = new Uint32Array(segment.length);
  let length = 0;
  for (let at = 1; at < segment.length; at += 1) {
    while (length > 0 && segment[at] !== segment[length]) length = borders[length - 1] ?? 0;
    if (segment[at] === segment[length]) length += 1;
    borders[at] = length;
  }
  return borders;
}
