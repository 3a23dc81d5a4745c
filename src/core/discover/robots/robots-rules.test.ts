import { array, assert, constantFrom, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { compileRobotsPattern, matchesAfterLiteral } from './robots-pattern.ts';
import { compileRules, type RobotsRule } from './robots-rules.ts';
import { parseRobots, robotsVerdict, simplifiedRules } from './robots.ts';
import { workMs } from '../../../../test/support/work-time.ts';

function matchesRobotsPattern(path: string, text: string): boolean {
  const compiled = compileRobotsPattern(text);
  return path.startsWith(compiled.literal) && matchesAfterLiteral(path, compiled);
}

/** Every rule is tried: slow, and too plain to be wrong. */
function matchOneByOne(rules: readonly RobotsRule[], path: string): RobotsRule | null {
  let best: RobotsRule | null = null;
  for (const rule of rules) {
    const matching = matchingRule(rule, path);
    if (matching === null) continue;
    const longer = best === null ? 1 : matching.pattern.length - best.pattern.length;
    if (longer > 0 || (longer === 0 && matching.effect === 'allow' && best?.effect === 'disallow')) best = matching;
  }
  return best;
}

function matchingRule(rule: RobotsRule, path: string): RobotsRule | null {
  if (matchesRobotsPattern(path, rule.pattern)) return rule;
  const slash = rule.pattern.lastIndexOf('/');
  if (rule.effect !== 'allow' || slash === -1 || !rule.pattern.startsWith('/index.htm', slash)) return null;
  const pattern = `${rule.pattern.slice(0, slash + 1)}$`;
  return matchesRobotsPattern(path, pattern) ? { ...rule, pattern } : null;
}

const parts = constantFrom('a', 'b', 'ab', '/', '/', '*', '$', '/index.html', '/index.htm', '%2F', '');
const pattern = array(parts, { maxLength: 5 }).map((some) => some.join(''));
const path = array(constantFrom('a', 'b', '/', 'index.html', '$', '%2F'), { maxLength: 7 }).map(
  (some) => `/${some.join('')}`,
);
const rules = array(record({ effect: constantFrom('allow' as const, 'disallow' as const), pattern }), {
  maxLength: 14,
}).map((list) => list.map((rule, index) => ({ ...rule, line: index + 1 })));

test('compiled rules decide as the rules one by one do, by the same line (finding N7)', () => {
  assert(
    property(rules, array(path, { minLength: 1, maxLength: 5 }), (list, paths) => {
      const compiled = compileRules(list);
      for (const one of paths) expect(compiled.match(one)).toEqual(matchOneByOne(list, one));
    }),
    { numRuns: 1500 },
  );
});

/** CPU time, so that a busy machine does not count. */
function msPerUrl(file: string): number {
  const robots = parseRobots(file);
  robotsVerdict(robots, 'https://x.dev/');
  const urls = Array.from(
    { length: 2000 },
    (_, nth) => `https://x.dev/docs/guide/d${nth}/page-${nth}.html?view=${nth}`,
  );
  const all = (): void => {
    for (const url of urls) robotsVerdict(robots, url);
  };
  return workMs(all) / urls.length;
}

test('a URL is matched against 34,000 rules in microseconds (finding N7)', () => {
  const file = (rule: (nth: number) => string): string =>
    `user-agent: *\n${Array.from({ length: 34_000 }, (_, nth) => `${rule(nth)}\n`).join('')}`;
  expect(msPerUrl(file((nth) => `disallow:/d${nth}`))).toBeLessThan(0.1);
  expect(msPerUrl(file((nth) => `allow:/${'d'.repeat(nth % 900)}`))).toBeLessThan(0.1);
  expect(msPerUrl(file((nth) => `disallow:/*d${nth}x`))).toBeLessThan(1);
  expect(msPerUrl(file((nth) => `allow:/*v*d${nth}x$`))).toBeLessThan(1);
});

test('with too many stars in a file, the rest of its rules are obeyed too much, never too little', () => {
  const many = Array.from({ length: 1000 }, (_, nth) => `disallow: /x*${nth}\n`).join('');
  const robots = parseRobots(
    `user-agent: *\n${many}disallow: /private/*.pdf\nallow: /private/*.pdf.html\ndisallow: /plain\n`,
  );
  expect(robotsVerdict(robots, 'https://x.dev/x/5').allowed).toBe(false);
  expect(robotsVerdict(robots, 'https://x.dev/private/a.html').allowed).toBe(false);
  expect(robotsVerdict(robots, 'https://x.dev/private/a.pdf.html').allowed).toBe(false);
  expect(robotsVerdict(robots, 'https://x.dev/plain').allowed).toBe(false);
  expect(robotsVerdict(robots, 'https://x.dev/y').allowed).toBe(true);
  expect(simplifiedRules(robots)).toBe(2);
});
