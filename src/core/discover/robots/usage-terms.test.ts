import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pageUrl } from '../../model/page-url.ts';
import type { RobotsAccess } from './robots-access.ts';
import { parseRobots } from './robots.ts';
import { usageTerms, usageVerdict } from './usage-terms.ts';
import { workMs } from '../../../../test/support/work-time.ts';

interface TermsCase {
  readonly id: string;
  readonly robots: string;
  readonly agent?: string;
  /** Null: no line disallows the path. */
  readonly expect: readonly { readonly path: string; readonly line: number | null }[];
}

const caseFile = new URL('../../../../test/data/cases/usage-terms-cases.json', import.meta.url);
const cases: readonly TermsCase[] = JSON.parse(readFileSync(caseFile, 'utf8'));

const rules = (text: string): RobotsAccess => ({
  kind: 'rules',
  robots: parseRobots(text),
  warnings: [],
  freshForMs: 0,
});

for (const { id, robots, agent, expect: expected } of cases) {
  test(`${id}: ${expected.map(({ path, line }) => `${path} by ${line ?? 'no line'}`).join(', ')}`, () => {
    for (const { path, line } of expected) {
      const verdict = usageVerdict(rules(robots), pageUrl(`https://x.dev${path}`), agent);
      expect(verdict.allowed ? null : verdict.line).toBe(line);
      if (!verdict.allowed) {
        const written = robots.split(/\r\n|\r|\n/)[verdict.line - 1] ?? '';
        const value =
          written
            .slice(written.indexOf(':') + 1)
            .split('#')[0]
            ?.trim()
            .replaceAll('\t', ' ') ?? '';
        expect(verdict.rule).toContain(`robots.txt line ${verdict.line}: Content-`);
        expect(verdict.rule.endsWith(`: ${value}`)).toBe(true);
      }
    }
  });
}

test('the case list has at least 60 files', () => {
  expect(cases.length).toBeGreaterThanOrEqual(60);
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
});

test('a file that is missing or cannot be read states no terms', () => {
  const page = pageUrl('https://x.dev/a');
  expect(usageVerdict({ kind: 'allow-all', reason: 'status 404', freshForMs: 0 }, page).allowed).toBe(true);
  expect(usageVerdict({ kind: 'disallow-all', reason: 'status 500', retryAfterMs: 0 }, page).allowed).toBe(true);
  const robots = parseRobots('Content-Signal: ai-input=no\n');
  const stale = { kind: 'stale', robots, reason: 'status 500', ageMs: 1, retryAfterMs: 0 } as const;
  expect(usageVerdict(stale, page).allowed).toBe(false);
});

test('a rule is shown without what a terminal would obey', () => {
  const verdict = usageVerdict(rules('Content-Signal: ai-input=no, x=\u001B[2J\n'), pageUrl('https://x.dev/a'));
  expect(verdict).toMatchObject({ allowed: false, rule: 'robots.txt line 1: Content-Signal: ai-input=no, x=' });
});

test('terms of our group or of everyone are kept as written', () => {
  const robots = parseRobots(`Content-Usage: train-ai=n
User-agent: *
Content-Signal: search=yes
User-agent: Pinakes
Content-Usage: /a train-ai=y
`);
  expect(usageTerms(robots)).toEqual(['Content-Usage: train-ai=n', 'Content-Usage: /a train-ai=y']);
});

test('a hostile file of 20,000 terms is decided in milliseconds', () => {
  const hostile = rules(Array.from({ length: 20_000 }, (_, nth) => `Content-Usage: /${nth} ai-input=n\n`).join(''));
  const pages = Array.from({ length: 1000 }, (_, nth) => pageUrl(`https://x.dev/${nth}/page`));
  usageVerdict(hostile, pages[0]!);
  expect(workMs(() => pages.forEach((page) => usageVerdict(hostile, page)))).toBeLessThan(100);
});
