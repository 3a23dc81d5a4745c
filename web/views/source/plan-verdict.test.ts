import { expect, test } from 'vitest';
import type { Plan, SourceHealth } from '../../api/responses.ts';
import { existingSource, planVerdict } from './plan-verdict.ts';

const START = 'https://docs.example.dev/';

const PLAN: Plan = {
  start: START,
  accepted: 12,
  foundBy: { seed: 1, link: 11 },
  markdownRoute: null,
  examples: [],
  excluded: [],
  rendering: { mode: 'never', pages: [] },
  problems: [],
};

function excludedBy(rule: string): Plan {
  return { ...PLAN, accepted: 0, excluded: [{ rule, times: 1, example: START }] };
}

test.each([
  [
    'a host that does not exist',
    'robots-disallow: robots.txt cannot be read (dns-no-address)',
    /There is no host docs/,
  ],
  ['a server that is down', 'robots-disallow: robots.txt cannot be read (connection-refused)', /Nothing listens at/],
  ['a ban in robots.txt', 'robots-disallow: robots.txt line 2: Disallow: /', /Robots.txt line 2: Disallow: \/\./i],
  ['a pattern that excludes the start', 'not-included: /guide/**', /Not-included: \/guide/],
])('%s is said first and blocks adding (finding T5.2)', (_name, rule, text) => {
  const verdict = planVerdict(excludedBy(rule));
  expect(verdict?.text).toMatch(text);
  expect(verdict?.isBlocking).toBe(true);
});

test('an empty shell blocks adding only if there is no browser and no other page (finding T5.2)', () => {
  const rendering = { mode: 'never', pages: [{ url: START, because: 'empty' }] } as const;
  const shell = { ...PLAN, accepted: 1, problems: [`${START}: needs-rendering`] };
  expect(planVerdict({ ...shell, rendering: { ...rendering, pages: [...rendering.pages] } })?.isBlocking).toBe(true);
  expect(
    planVerdict({ ...shell, accepted: 9, rendering: { ...rendering, pages: [...rendering.pages] } }),
  ).toMatchObject({
    title: 'The start page is empty without a browser',
    isBlocking: false,
  });
  expect(planVerdict({ ...shell, rendering: { mode: 'auto', pages: [...rendering.pages] } })).toBeNull();
});

test('a plan that finds pages has nothing to say', () => {
  expect(planVerdict(PLAN)).toBeNull();
});

test('a source that is there already is found by its name and by its start (finding T5.2)', () => {
  const sources = [{ source: 'docs.example.dev', start: START }] as SourceHealth[];
  expect(existingSource({ url: START, name: '' }, sources)).toEqual({ source: 'docs.example.dev', isNameTaken: true });
  expect(existingSource({ url: START, name: 'again' }, sources)).toEqual({
    source: 'docs.example.dev',
    isNameTaken: false,
  });
  expect(existingSource({ url: 'https://other.dev/', name: '' }, sources)).toBeNull();
});
