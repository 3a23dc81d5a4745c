// What an attempt to fetch robots.txt means for the crawl of its authority. The network half asks, this half decides.

import { pageUrl, parsePageUrl, type PageUrl } from '../../model/page-url.ts';
import { parseRobots, PRODUCT_TOKEN, robotsVerdict, type Robots, type RobotsRule } from './robots.ts';

export type RobotsAttempt =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: Uint8Array;
      readonly mediaType: string | null;
      /** The size cap ended the body before the server did. */
      readonly cut: boolean;
      readonly retryAfterMs: number | null;
      /** `max-age` of Cache-Control. */
      readonly maxAgeMs: number | null;
    }
  | { readonly kind: 'too-many-redirects' }
  /** The address guard refused the connection, by this rule. */
  | { readonly kind: 'blocked-address'; readonly rule: string }
  /** Timeouts, resets (also in the middle of the body), names that do not resolve, certificates that do not hold. */
  | { readonly kind: 'failed'; readonly why: string };

/** The last copy that was read, and how old it is. */
export interface KnownRobots {
  readonly robots: Robots;
  readonly ageMs: number;
}

export interface RobotsPolicy {
  /** 401 and 403 close the authority instead of opening it. */
  readonly forbiddenIsDisallow: boolean;
  /** More than five redirects open the authority, as the RFC permits, instead of closing it. */
  readonly redirectsExceededIsAllow: boolean;
}

export const DEFAULT_ROBOTS_POLICY: RobotsPolicy = { forbiddenIsDisallow: false, redirectsExceededIsAllow: false };

export type RobotsAccess =
  | {
      readonly kind: 'rules';
      readonly robots: Robots;
      readonly warnings: readonly string[];
      readonly freshForMs: number;
    }
  | { readonly kind: 'allow-all'; readonly because: string; readonly freshForMs: number }
  | {
      readonly kind: 'disallow-all';
      readonly because: string;
      readonly retryAfterMs: number;
      /** The rule of the address guard that keeps us out: it stands in this installation's settings, not on the site. */
      readonly blockedBy?: string;
    }
  /** The file cannot be had now; the last copy stays in force, and status says so. */
  | {
      readonly kind: 'stale';
      readonly robots: Robots;
      readonly because: string;
      readonly ageMs: number;
      readonly retryAfterMs: number;
    };

export const ROBOTS_MAX_REDIRECTS = 5;
const DAY_MS = 24 * 60 * 60 * 1000;
/** How long to wait before asking again where the server did not say. */
const RETRY_MS = 5 * 60 * 1000;

/** Rules are kept per scheme, host and port. */
export function robotsUrl(page: PageUrl): PageUrl {
  return pageUrl('/robots.txt', page);
}

export function robotsFromFetch(
  attempt: RobotsAttempt,
  known: KnownRobots | null,
  policy: RobotsPolicy = DEFAULT_ROBOTS_POLICY,
): RobotsAccess {
  switch (attempt.kind) {
    case 'answered':
      return fromAnswer(attempt, known, policy);
    case 'blocked-address':
      return { kind: 'disallow-all', because: 'ssrf-blocked', retryAfterMs: DAY_MS, blockedBy: attempt.rule };
    case 'failed':
      return unreachable(attempt.why, known, null);
    case 'too-many-redirects':
  }
  return policy.redirectsExceededIsAllow
    ? { kind: 'allow-all', because: 'too many redirects', freshForMs: DAY_MS }
    : unreachable('too many redirects', known, null);
}

function fromAnswer(
  answer: Extract<RobotsAttempt, { kind: 'answered' }>,
  known: KnownRobots | null,
  policy: RobotsPolicy,
): RobotsAccess {
  const { status } = answer;
  if (status >= 200 && status < 300) return fromBody(answer);
  if (status === 429 || status >= 500) return unreachable(`status ${status}`, known, answer.retryAfterMs);
  if ((status === 401 || status === 403) && policy.forbiddenIsDisallow) {
    return { kind: 'disallow-all', because: `status ${status}`, retryAfterMs: DAY_MS };
  }
  if (status >= 400) return { kind: 'allow-all', because: `status ${status}`, freshForMs: DAY_MS };
  // A redirect that could not be followed, or an informational answer: nothing was learnt.
  return unreachable(`status ${status}`, known, null);
}

function fromBody(answer: Extract<RobotsAttempt, { kind: 'answered' }>): RobotsAccess {
  const robots = parseRobots(answer.cut ? completeLines(answer.body) : answer.body);
  const warnings: string[] = robots.ignored.map(({ line, why }) => `line ${line}: ${why}`);
  if (answer.mediaType?.includes('html')) warnings.push('robots.txt is served as HTML');
  if (answer.cut || robots.truncated) warnings.push('robots.txt is longer than what is read');
  const truncated = answer.cut || robots.truncated;
  const freshForMs = Math.min(answer.maxAgeMs ?? DAY_MS, DAY_MS);
  return { kind: 'rules', robots: { ...robots, truncated }, warnings, freshForMs };
}

/** A cut body may end in half a rule, which would say something else than the whole. */
function completeLines(body: Uint8Array): Uint8Array {
  const end = Math.max(body.lastIndexOf(0x0a), body.lastIndexOf(0x0d));
  return body.subarray(0, end + 1);
}

/** The RFC asks for a complete disallow, unless an earlier copy tells what the owner wants. We keep it however old. */
function unreachable(because: string, known: KnownRobots | null, retryAfterMs: number | null): RobotsAccess {
  const retry = retryAfterMs ?? RETRY_MS;
  return known === null
    ? { kind: 'disallow-all', because, retryAfterMs: retry }
    : { kind: 'stale', robots: known.robots, because, ageMs: known.ageMs, retryAfterMs: retry };
}

export type RobotsAccessVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly because: string; readonly rule: RobotsRule | null };

/** May this page be asked? `/robots.txt` itself always may. */
export function robotsAccessVerdict(
  access: RobotsAccess,
  url: PageUrl,
  agent: string = PRODUCT_TOKEN,
): RobotsAccessVerdict {
  if (access.kind === 'allow-all' || new URL(url).pathname === '/robots.txt') return { allowed: true };
  if (access.kind === 'disallow-all') {
    return { allowed: false, because: `robots.txt cannot be read (${access.because})`, rule: null };
  }
  const verdict = robotsVerdict(access.robots, url, agent);
  if (verdict.allowed) return { allowed: true };
  const { line, pattern } = verdict.rule;
  return { allowed: false, because: `robots.txt line ${line}: Disallow: ${pattern}`, rule: verdict.rule };
}

export interface RobotsSitemaps {
  readonly sitemaps: readonly PageUrl[];
  readonly ignored: readonly { readonly value: string; readonly line: number }[];
}

/** Relative values occur and are read against the file's own address. Only http and https are ever asked. */
export function robotsSitemaps(robots: Robots, file: PageUrl): RobotsSitemaps {
  const sitemaps = new Set<PageUrl>();
  const ignored: { value: string; line: number }[] = [];
  for (const { value, line } of robots.sitemaps) {
    const url = value === '' ? null : parsePageUrl(value, file);
    if (url === null || !url.startsWith('http')) ignored.push({ value, line });
    else sitemaps.add(url);
  }
  return { sitemaps: [...sitemaps], ignored };
}
