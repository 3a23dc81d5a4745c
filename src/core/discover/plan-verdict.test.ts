import { expect, test } from 'vitest';
import { planVerdict, type CheckedPlan } from './plan-verdict.ts';

const START = 'https://docs.example.dev/';

const PLAN: CheckedPlan = {
  startUrl: START,
  accepted: 12,
  excluded: [],
  rendering: { mode: 'never', pages: [] },
  problems: [],
};

function excludedBy(rule: string): CheckedPlan {
  return { ...PLAN, accepted: 0, excluded: [{ rule, example: START }] };
}

test.each([
  [
    'a host that does not exist',
    'robots-unreachable: robots.txt cannot be read (dns-no-address)',
    /There is no host docs/,
  ],
  ['a server that is down', 'robots-unreachable: robots.txt cannot be read (connection-refused)', /Nothing listens at/],
  ['a ban in robots.txt', 'robots-disallow: robots.txt line 2: Disallow: /', /Robots.txt line 2: Disallow: \/\./i],
  ['a pattern that excludes the start', 'not-included: /guide/**', /Not-included: \/guide/],
])('%s is said first and blocks adding (finding T5.2)', (_name, rule, text) => {
  const verdict = planVerdict(excludedBy(rule));
  expect(verdict?.text).toMatch(text);
  expect(verdict?.isBlocking).toBe(true);
});

test('an empty shell blocks adding only if there is no browser and no other page (finding T5.2)', () => {
  const rendering = { mode: 'never', pages: [{ url: START, reason: 'empty' }] } as const;
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
