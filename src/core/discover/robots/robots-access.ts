// Decides what an attempt to fetch robots.txt means for the crawl of its authority.

import { pageUrl, parsePageUrl, type PageUrl } from '../../model/page-url.ts';
import { parseRobots, PRODUCT_TOKEN, robotsVerdict, type Robots, type RobotsRule } from './robots.ts';

export type RobotsAttempt =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: Uint8Array;
      readonly mediaType: string | null;
      /** The body was longer than the size limit. */
      readonly truncated: boolean;
      readonly retryAfterMs: number | null;
      /** `max-age` of Cache-Control. */
      readonly maxAgeMs: number | null;
    }
  | { readonly kind: 'too-many-redirects' }
  /** The SSRF guard refused the connection, by this rule. */
  | { readonly kind: 'blocked-address'; readonly rule: string }
  /** Timeouts, resets (also in the middle of the body), names that do not resolve, invalid certificates. */
  | { readonly kind: 'failed'; readonly reason: string };

/** The last successfully fetched copy, and its age. */
export interface CachedRobots {
  readonly robots: Robots;
  readonly ageMs: number;
}

export interface RobotsPolicy {
  /** 401 and 403 disallow the authority instead of allowing it. */
  readonly forbiddenIsDisallow: boolean;
  /** More than five redirects allow the authority, as the RFC permits, instead of disallowing it. */
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
  | { readonly kind: 'allow-all'; readonly reason: string; readonly freshForMs: number }
  | {
      readonly kind: 'disallow-all';
      readonly reason: string;
      readonly retryAfterMs: number;
      /** The rule of the SSRF guard that blocks us: a setting of this installation, not of the site. */
      readonly blockedBy?: string;
    }
  /** The file is unavailable; the cached copy stays in force, and the status shows it. */
  | {
      readonly kind: 'stale';
      readonly robots: Robots;
      readonly reason: string;
      readonly ageMs: number;
      readonly retryAfterMs: number;
    };

export const ROBOTS_MAX_REDIRECTS = 5;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Delay before the next attempt, unless the server sends Retry-After. */
const RETRY_MS = 5 * 60 * 1000;

/** Rules apply per scheme, host and port. */
export function robotsUrl(page: PageUrl): PageUrl {
  return pageUrl('/robots.txt', page);
}

export function robotsFromFetch(
  attempt: RobotsAttempt,
  cached: CachedRobots | null,
  policy: RobotsPolicy = DEFAULT_ROBOTS_POLICY,
): RobotsAccess {
  switch (attempt.kind) {
    case 'answered':
      return fromResponse(attempt, cached, policy);
    case 'blocked-address':
      return { kind: 'disallow-all', reason: 'ssrf-blocked', retryAfterMs: DAY_MS, blockedBy: attempt.rule };
    case 'failed':
      return unreachable(attempt.reason, cached, null);
    case 'too-many-redirects':
  }
  return policy.redirectsExceededIsAllow
    ? { kind: 'allow-all', reason: 'too many redirects', freshForMs: DAY_MS }
    : unreachable('too many redirects', cached, null);
}

function fromResponse(
  response: Extract<RobotsAttempt, { kind: 'answered' }>,
  cached: CachedRobots | null,
  policy: RobotsPolicy,
): RobotsAccess {
  const { status } = response;
  if (status >= 200 && status < 300) return fromBody(response);
  if (status === 429 || status >= 500) return unreachable(`status ${status}`, cached, response.retryAfterMs);
  if ((status === 401 || status === 403) && policy.forbiddenIsDisallow) {
    return { kind: 'disallow-all', reason: `status ${status}`, retryAfterMs: DAY_MS };
  }
  if (status >= 400) return { kind: 'allow-all', reason: `status ${status}`, freshForMs: DAY_MS };
  // A redirect that could not be followed, or an informational response: inconclusive.
  return unreachable(`status ${status}`, cached, null);
}

function fromBody(response: Extract<RobotsAttempt, { kind: 'answered' }>): RobotsAccess {
  const robots = parseRobots(response.truncated ? completeLines(response.body) : response.body);
  const warnings: string[] = robots.ignored.map(({ line, reason }) => `line ${line}: ${reason}`);
  if (response.mediaType?.includes('html')) warnings.push('robots.txt is served as HTML');
  if (response.truncated || robots.truncated) warnings.push('robots.txt is longer than the limit');
  const truncated = response.truncated || robots.truncated;
  const freshForMs = Math.min(response.maxAgeMs ?? DAY_MS, DAY_MS);
  return { kind: 'rules', robots: { ...robots, truncated }, warnings, freshForMs };
}

/** A truncated body may end in half a rule, which would mean something else. */
function completeLines(body: Uint8Array): Uint8Array {
  const end = Math.max(body.lastIndexOf(0x0a), body.lastIndexOf(0x0d));
  return body.subarray(0, end + 1);
}

/** The RFC asks for a complete disallow, unless there is a cached copy. We use it regardless of its age. */
function unreachable(reason: string, cached: CachedRobots | null, retryAfterMs: number | null): RobotsAccess {
  const retry = retryAfterMs ?? RETRY_MS;
  return cached === null
    ? { kind: 'disallow-all', reason, retryAfterMs: retry }
    : { kind: 'stale', robots: cached.robots, reason, ageMs: cached.ageMs, retryAfterMs: retry };
}

export type RobotsAccessVerdict =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      readonly code: RobotsExclusionCode;
      readonly reason: string;
      readonly rule: RobotsRule | null;
    };

/** A rule of the site, or a file that cannot be read. */
export type RobotsExclusionCode = 'robots-disallow' | 'robots-unreachable';

/** Whether a page may be fetched. `/robots.txt` itself always may. */
export function robotsAccessVerdict(
  access: RobotsAccess,
  url: PageUrl,
  agent: string = PRODUCT_TOKEN,
): RobotsAccessVerdict {
  if (access.kind === 'allow-all' || new URL(url).pathname === '/robots.txt') return { allowed: true };
  if (access.kind === 'disallow-all') {
    const code = 'robots-unreachable';
    return { allowed: false, code, reason: `robots.txt cannot be read (${access.reason})`, rule: null };
  }
  const verdict = robotsVerdict(access.robots, url, agent);
  if (verdict.allowed) return { allowed: true };
  const { line, pattern } = verdict.rule;
  return {
    allowed: false,
    code: 'robots-disallow',
    reason: `robots.txt line ${line}: Disallow: ${pattern}`,
    rule: verdict.rule,
  };
}

export interface RobotsSitemaps {
  readonly sitemaps: readonly PageUrl[];
  readonly ignored: readonly { readonly value: string; readonly line: number }[];
}

/** Relative values occur and are resolved against the URL of the file. Only http and https are used. */
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
