import { readFileSync } from 'node:fs';
import { array, assert, constantFrom, property } from 'fast-check';
import { expect, test } from 'vitest';
import { pageUrl, type PageUrl } from '../../model/page-url.ts';
import {
  robotsAccessVerdict,
  robotsFromFetch,
  robotsSitemaps,
  robotsUrl,
  type CachedRobots,
  type RobotsAccess,
  type RobotsAttempt,
} from './robots-access.ts';
import { compileRobotsPattern, escapePattern, matchesAfterLiteral } from './robots-pattern.ts';
import { robotsPath, crawlDelayMs, parseRobots, PRODUCT_TOKEN, robotsVerdict } from './robots.ts';
import { usageTerms } from './usage-terms.ts';
import { workMs } from '../../../../test/support/work-time.ts';

interface MatcherCase {
  readonly id: string;
  readonly body?: string;
  readonly body_base64?: string;
  readonly expect: readonly { readonly url: string; readonly agent: string; readonly allowed: boolean }[];
}

interface Cases {
  readonly matcher: readonly MatcherCase[];
  readonly path_extraction: readonly { readonly url: string; readonly path: string }[];
  readonly pattern_escaping: readonly { readonly in: string; readonly out: string }[];
  readonly fetch_behaviour: readonly { readonly id: string; readonly server: string; readonly expected: string }[];
  readonly metadata: readonly {
    readonly id: string;
    readonly body?: string;
    readonly cases?: readonly (readonly [string, string | boolean])[];
    readonly sitemaps?: readonly string[];
    readonly valid_directives?: number;
  }[];
}

const caseFile = new URL('../../../../test/data/cases/robots-cases.json', import.meta.url);
const cases: Cases = JSON.parse(readFileSync(caseFile, 'utf8'));
const matcherCases = cases.matcher;

function bytesOf({ body, body_base64 }: MatcherCase): Uint8Array {
  return body_base64 === undefined ? new TextEncoder().encode(body) : Buffer.from(body_base64, 'base64');
}

for (const matcher of matcherCases) {
  if (matcher.expect.length === 0) {
    test(`${matcher.id}: parses without an error`, () => {
      expect(parseRobots(bytesOf(matcher)).groups.length).toBeGreaterThan(0);
    });
  }
  const robots = parseRobots(bytesOf(matcher));
  matcher.expect.forEach(({ url, agent, allowed }, index) => {
    test(`${matcher.id} #${index + 1}: ${agent} ${allowed ? 'may' : 'may not'} fetch ${url}`, () => {
      expect(robotsVerdict(robots, url, agent).allowed).toBe(allowed);
    });
  });
}

test('the case list holds all 479 expectations', () => {
  expect(matcherCases.flatMap((matcher) => matcher.expect)).toHaveLength(479);
});

cases.path_extraction.forEach(({ url, path }, index) => {
  test(`path-${index + 1}: the path of "${url}" is ${path}`, () => expect(robotsPath(url)).toBe(path));
});

cases.pattern_escaping.forEach((escape, index) => {
  test(`escape-${index + 1}: ${escape.in} is normalised to ${escape.out}`, () => {
    const octets = Buffer.from(escape.in, 'utf8').toString('latin1');
    expect(escapePattern(octets)).toBe(escape.out);
  });
});

function elapsed(work: () => void): number {
  // The best of three, to leave out garbage collection and compilation.
  return Math.min(...[1, 2, 3].map(() => workMs(work)));
}

test('cc-line-too-long-disallow: a line is truncated at 2083*8 octets and the truncated rule applies', () => {
  const long = `/x/${'a'.repeat(16_652 - 3)}`;
  const robots = parseRobots(`user-agent: FooBot\ndisallow: ${long}/qux\n`);
  expect(robotsVerdict(robots, 'http://foo.bar/fux', 'FooBot').allowed).toBe(true);
  expect(robotsVerdict(robots, `http://foo.bar${long}/fux`, 'FooBot').allowed).toBe(false);
});

test('own-100k-rules: the file is truncated at 500 KiB, and that is recorded', () => {
  const rules = Array.from({ length: 100_000 }, (_, i) => `disallow: /d${i}\n`).join('');
  const file = new TextEncoder().encode(`user-agent: b\n${rules}`);
  let robots = parseRobots('');
  expect(elapsed(() => (robots = parseRobots(file)))).toBeLessThan(250);
  expect(robots.truncated).toBe(true);
  expect(robotsVerdict(robots, 'http://h/d1', 'b').allowed).toBe(false);
  expect(robotsVerdict(robots, 'http://h/x', 'b').allowed).toBe(true);
  const last = robots.groups[0]!.rules.at(-1)!;
  expect(last.pattern).toBe(`/d${robots.groups[0]!.rules.length - 1}`);
  expect(robots.groups[0]!.rules.length).toBeLessThan(40_000);
});

function matchesRobotsPattern(path: string, text: string): boolean {
  const compiled = compileRobotsPattern(text);
  return path.startsWith(compiled.literal) && matchesAfterLiteral(path, compiled);
}

test('own-star-storm: thousands of stars take time proportional to text times pattern at most', () => {
  const path = `/${'a'.repeat(4000)}b`;
  expect(elapsed(() => expect(matchesRobotsPattern(path, `/${'*a'.repeat(4000)}`)).toBe(true))).toBeLessThan(500);
  expect(elapsed(() => expect(matchesRobotsPattern(path, `/${'*a'.repeat(4001)}`)).toBe(false))).toBeLessThan(500);
});

test('own-star-storm-regexlike: a run of stars is one star', () => {
  const path = `/${'a'.repeat(16_000)}`;
  expect(elapsed(() => expect(matchesRobotsPattern(path, `/${'*'.repeat(16_000)}X`)).toBe(false))).toBeLessThan(100);
});

test('own-1M-user-agents: a group of 40,000 agents is parsed quickly', () => {
  const agents = Array.from({ length: 40_000 }, (_, i) => `user-agent: bot${i}\n`).join('');
  let robots = parseRobots('');
  expect(elapsed(() => (robots = parseRobots(`${agents}disallow: /`)))).toBeLessThan(250);
  expect(robots.truncated).toBe(true);
});

test('a long repetitive segment is searched in linear time', () => {
  const path = `/${'a'.repeat(200_000)}`;
  expect(elapsed(() => expect(matchesRobotsPattern(path, `*${'a'.repeat(50_000)}b`)).toBe(false))).toBeLessThan(500);
  expect(matchesRobotsPattern(`/${'ab'.repeat(40)}c`, `*${'ab'.repeat(30)}c$`)).toBe(true);
});

/** The definition by sets of positions: slow, and too plain to be wrong. */
function matchesPlainly(path: string, pattern: string): boolean {
  let positions = new Set([0]);
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at];
    if (char === '$' && at === pattern.length - 1) return positions.has(path.length);
    const next = new Set<number>();
    for (const position of positions) {
      if (char === '*') for (let end = position; end <= path.length; end += 1) next.add(end);
      else if (path[position] === char) next.add(position + 1);
    }
    positions = next;
  }
  return positions.size > 0;
}

test('matching agrees with a naive matcher', () => {
  const pattern = array(constantFrom('a', 'b', '/', '*', '*', '$'), { maxLength: 9 }).map((chars) => chars.join(''));
  const path = array(constantFrom('a', 'b', '/', '$'), { maxLength: 9 }).map((chars) => `/${chars.join('')}`);
  assert(
    property(path, pattern, (text, rule) => matchesRobotsPattern(text, rule) === matchesPlainly(text, rule)),
    { numRuns: 5000 },
  );
});

test('ua-valid: the product token has only letters, hyphens and underscores', () => {
  expect(PRODUCT_TOKEN).toMatch(/^[a-zA-Z_-]+$/);
});

test('sitemap-lines: sitemaps are collected anywhere in the file', () => {
  const { body, sitemaps } = cases.metadata.find(({ id }) => id === 'sitemap-lines')!;
  expect(parseRobots(body!).sitemaps.map(({ value }) => value)).toEqual(sitemaps);
});

test('terms of use are kept as written, for our group or everyone, and change no rule', () => {
  const robots = parseRobots(`License: https://x.dev/terms.xml
User-agent: Other
Content-Signal: search=no
User-agent: *
Content-Signal: search=yes, ai-train=no
Crawl-delay: 2
Allow: /
Content-signal:
`);
  expect(usageTerms(robots)).toEqual(['License: https://x.dev/terms.xml', 'Content-Signal: search=yes, ai-train=no']);
  expect(usageTerms(robots, 'other')).toEqual(['License: https://x.dev/terms.xml', 'Content-Signal: search=no']);
  expect(crawlDelayMs(robots)).toBe(2000);
  expect(robotsVerdict(robots, 'https://x.dev/a').allowed).toBe(true);
  const hostile = parseRobots(`License: ${'x'.repeat(9000)}\n`.repeat(1000));
  expect(hostile.terms.map(({ value }) => value.length)).toEqual(Array.from({ length: 20 }, () => 300));
});

test('line-count: every known directive counts, and lines are numbered through mixed line ends', () => {
  const { body, valid_directives } = cases.metadata.find(({ id }) => id === 'line-count')!;
  const robots = parseRobots(body!);
  expect(robots.directives).toBe(valid_directives);
  expect(robotsVerdict(robots, 'http://h/x', 'bar')).toMatchObject({ allowed: false, rule: { line: 6, pattern: '/' } });
});

// What each fetch result means; the network half is tested where it lives.

const RULES = new TextEncoder().encode('User-agent: *\nDisallow: /private\n');
const answered = (status: number, more: Partial<Extract<RobotsAttempt, { kind: 'answered' }>> = {}): RobotsAttempt => ({
  kind: 'answered',
  status,
  body: RULES,
  mediaType: 'text/plain',
  truncated: false,
  retryAfterMs: null,
  maxAgeMs: null,
  ...more,
});
const cached = (ageMs: number): CachedRobots => ({ robots: parseRobots(RULES), ageMs });
const PRIVATE = pageUrl('https://h.dev/private/x');
const PUBLIC = pageUrl('https://h.dev/public');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const may = (access: RobotsAccess, url: PageUrl) => robotsAccessVerdict(access, url).allowed;

const openAll = (attempt: RobotsAttempt) => expect(robotsFromFetch(attempt, null)).toMatchObject({ kind: 'allow-all' });
const closeAll = (attempt: RobotsAttempt) => {
  const access = robotsFromFetch(attempt, null);
  expect(access.kind).toBe('disallow-all');
  expect(may(access, PUBLIC)).toBe(false);
  return access;
};
const obeys = (access: RobotsAccess) => {
  expect(may(access, PRIVATE)).toBe(false);
  expect(may(access, PUBLIC)).toBe(true);
  return access;
};
const delayOf = (value: string) => parseRobots(`User-agent: *\nCrawl-delay: ${value}\nDisallow: /x\n`);

const fetchDecisions: Readonly<Record<string, () => void>> = {
  'fetch-01': () => obeys(robotsFromFetch(answered(200), null)),
  'fetch-02': () =>
    expect(obeys(robotsFromFetch(answered(200, { mediaType: 'text/html; charset=utf-8' }), null))).toMatchObject({
      warnings: ['robots.txt is served as HTML'],
    }),
  'fetch-03': () => {
    for (const status of [200, 204]) {
      expect(may(robotsFromFetch(answered(status, { body: new Uint8Array() }), null), PRIVATE)).toBe(true);
    }
  },
  'fetch-04': () => expect(robotsUrl(pageUrl('https://h.dev:8443/a/b?c'))).toBe('https://h.dev:8443/robots.txt'),
  'fetch-06': () => {
    closeAll({ kind: 'too-many-redirects' });
    const relaxed = { forbiddenIsDisallow: false, redirectsExceededIsAllow: true };
    expect(robotsFromFetch({ kind: 'too-many-redirects' }, null, relaxed).kind).toBe('allow-all');
  },
  'fetch-07': () => closeAll({ kind: 'too-many-redirects' }),
  'fetch-08': () =>
    expect(closeAll({ kind: 'blocked-address', rule: 'loopback' })).toMatchObject({ reason: 'ssrf-blocked' }),
  'fetch-09': () => openAll(answered(404)),
  'fetch-10': () => openAll(answered(410)),
  'fetch-11': () => {
    expect(robotsFromFetch(answered(401), null)).toMatchObject({ kind: 'allow-all', reason: 'status 401' });
    const strict = { forbiddenIsDisallow: true, redirectsExceededIsAllow: false };
    expect(robotsFromFetch(answered(401), null, strict).kind).toBe('disallow-all');
  },
  'fetch-12': () => {
    expect(robotsFromFetch(answered(403), null)).toMatchObject({ kind: 'allow-all', reason: 'status 403' });
    const strict = { forbiddenIsDisallow: true, redirectsExceededIsAllow: false };
    expect(robotsFromFetch(answered(403), null, strict).kind).toBe('disallow-all');
  },
  'fetch-13': () => expect(closeAll(answered(429, { retryAfterMs: 9000 }))).toMatchObject({ retryAfterMs: 9000 }),
  'fetch-14': () => closeAll(answered(500)),
  'fetch-15': () => closeAll(answered(502)),
  'fetch-16': () => expect(closeAll(answered(503, { retryAfterMs: 120_000 }))).toMatchObject({ retryAfterMs: 120_000 }),
  'fetch-17': () => expect(obeys(robotsFromFetch(answered(503), cached(HOUR)))).toMatchObject({ kind: 'stale' }),
  'fetch-18': () =>
    expect(obeys(robotsFromFetch(answered(503), cached(2 * DAY)))).toMatchObject({ kind: 'stale', ageMs: 2 * DAY }),
  'fetch-19': () => expect(obeys(robotsFromFetch(answered(503), cached(31 * DAY)))).toMatchObject({ kind: 'stale' }),
  'fetch-20': () => closeAll({ kind: 'failed', reason: 'connect timeout' }),
  'fetch-21': () => closeAll({ kind: 'failed', reason: 'connection reset' }),
  'fetch-22': () => closeAll({ kind: 'failed', reason: 'name does not resolve' }),
  'fetch-23': () => closeAll({ kind: 'failed', reason: 'certificate' }),
  'fetch-24': () => {
    closeAll({ kind: 'failed', reason: 'total time' });
    const body = new TextEncoder().encode('User-agent: *\nDisallow: /private\nDisallow: /pub');
    expect(obeys(robotsFromFetch(answered(200, { body, truncated: true }), null))).toMatchObject({
      robots: { truncated: true },
    });
  },
  'fetch-25': () => {
    const body = new TextEncoder().encode(`User-agent: *\nDisallow: /private\n${'#'.repeat(600 * 1024)}\nDisallow: /`);
    expect(obeys(robotsFromFetch(answered(200, { body }), null))).toMatchObject({ robots: { truncated: true } });
  },
  'fetch-26': () =>
    expect(obeys(robotsFromFetch(answered(200, { truncated: true }), null))).toMatchObject({
      warnings: ['robots.txt is longer than the limit'],
    }),
  'fetch-27': () => {
    const text = '\uFEFFUser-agent: *\r\nDisallow: /private\r\n';
    obeys(robotsFromFetch(answered(200, { body: Buffer.from(text, 'utf16le') }), null));
  },
  'fetch-28': () => {
    expect(robotsFromFetch(answered(200, { maxAgeMs: HOUR }), null)).toMatchObject({ freshForMs: HOUR });
    expect(robotsFromFetch(answered(200, { maxAgeMs: 30 * DAY }), null)).toMatchObject({ freshForMs: DAY });
  },
  'fetch-29': () => {
    const before = robotsFromFetch(answered(404), null);
    const after = robotsFromFetch(answered(200), null);
    expect([may(before, PRIVATE), may(after, PRIVATE)]).toEqual([true, false]);
  },
  'fetch-30': () => expect(robotsUrl(pageUrl('http://h.dev/a'))).not.toBe(robotsUrl(pageUrl('https://h.dev/a'))),
  'fetch-31': () => expect(robotsUrl(pageUrl('http://h.dev:8080/a'))).toBe('http://h.dev:8080/robots.txt'),
  'fetch-32': () => {
    const body = new TextEncoder().encode('User-agent: *\nDisallow: /');
    expect(may(robotsFromFetch(answered(200, { body }), null), pageUrl('https://h.dev/robots.txt'))).toBe(true);
  },
  'fetch-33': () => {
    const robots = parseRobots('Sitemap: https://cdn.dev/s.xml\nSitemap: /map.xml\nSitemap: https://cdn.dev/s.xml\n');
    const { sitemaps } = robotsSitemaps(robots, pageUrl('https://h.dev/robots.txt'));
    expect(sitemaps).toEqual(['https://cdn.dev/s.xml', 'https://h.dev/map.xml']);
  },
  'fetch-34': () => {
    const robots = parseRobots('Sitemap: file:///etc/passwd\n');
    expect(robotsSitemaps(robots, pageUrl('https://h.dev/robots.txt'))).toEqual({
      sitemaps: [],
      ignored: [{ value: 'file:///etc/passwd', line: 1 }],
    });
  },
  'fetch-36': () => expect(crawlDelayMs(delayOf('10'))).toBe(10_000),
  'fetch-37': () => expect(crawlDelayMs(delayOf('86400'))).toBe(300_000),
  'fetch-38': () => {
    for (const value of ['-1', 'abc', '1e309']) {
      const robots = delayOf(value);
      expect(crawlDelayMs(robots)).toBeNull();
      expect(robots.ignored).toHaveLength(1);
    }
  },
  'fetch-39': () => expect(crawlDelayMs(delayOf('0.5'))).toBe(500),
};

/** These speak of connections: test/feature/crawl/robots.test.ts shows them. */
const NETWORK_ONLY = new Set(['fetch-05', 'fetch-35']);

for (const { id, server, expected } of cases.fetch_behaviour) {
  if (NETWORK_ONLY.has(id)) continue;
  test(`${id}: ${server}: ${expected}`, () => {
    const decide = fetchDecisions[id];
    expect(decide).toBeDefined();
    decide!();
  });
}

test('a crawl delay applies to the agents directly above it', () => {
  const robots = parseRobots('User-agent: slowbot\nCrawl-delay: 9\nUser-agent: *\nDisallow: /x\nCrawl-delay: 2\n');
  expect(crawlDelayMs(robots, 'slowbot')).toBe(9000);
  expect(crawlDelayMs(robots, 'Pinakes')).toBe(2000);
});

test('a group for our agent replaces the one for all agents, including its delay', () => {
  const robots = parseRobots('User-agent: *\nCrawl-delay: 9\nDisallow: /\n\nUser-agent: pinakes\nDisallow: /old\n');
  expect(crawlDelayMs(robots)).toBeNull();
  expect(robotsVerdict(robots, 'https://h.dev/new')).toEqual({ allowed: true, rule: null });
  expect(robotsVerdict(robots, 'https://h.dev/old/a')).toMatchObject({ allowed: false, rule: { line: 6 } });
});
