import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pageDirectives } from './robots-meta.ts';

const header = (...values: string[]) => pageDirectives(values, []);
const meta = (name: string, content: string) => pageDirectives([], [{ name, content }]);
const flags = ({ index, follow }: { index: boolean; follow: boolean }) => ({ index, follow });

const OPEN = { index: true, follow: true };

test.each([
  ['noindex', { index: false, follow: true }],
  ['none', { index: false, follow: false }],
  ['otherbot: noindex', OPEN],
  ['otherbot: noindex, nofollow', OPEN],
  ['nofollow, otherbot: noindex', { index: true, follow: false }],
  ['otherbot: noindex, pinakes: nofollow', { index: true, follow: false }],
  ['Pinakes: NOINDEX', { index: false, follow: true }],
  ['unavailable_after: 25 Jun 2010 15:00:00 PST', OPEN],
  ['unavailable_after: 25 Jun 2010 15:00:00 PST, noindex', { index: false, follow: true }],
  ['max-snippet: 20, nofollow', { index: true, follow: false }],
  ['all', OPEN],
  ['', OPEN],
])('X-Robots-Tag: %s', (value, expected) => {
  expect(flags(header(value))).toEqual(expected);
});

test.each([
  ['robots', 'nofollow', { index: true, follow: false }],
  ['ROBOTS', 'NoIndex,NoFollow', { index: false, follow: false }],
  ['robots', 'noindex nofollow', { index: false, follow: false }],
  ['pinakes', 'noindex', { index: false, follow: true }],
  ['googlebot', 'noindex', OPEN],
  ['description', 'noindex', OPEN],
])('<meta name=%s content=%s>', (name, content, expected) => {
  expect(flags(meta(name, content))).toEqual(expected);
});

test('headers and meta elements are combined, and the deciding directives are reported', () => {
  expect(
    pageDirectives(['noindex', 'googlebot: nofollow'], [{ name: 'robots', content: 'nofollow, noindex' }]),
  ).toEqual({
    index: false,
    follow: false,
    reason: ['noindex', 'nofollow'],
  });
});

interface MetadataCase {
  readonly id: string;
  readonly cases?: readonly (readonly [string, string])[];
}

const caseFile = new URL('../../../../test/data/cases/robots-cases.json', import.meta.url);
const { metadata }: { readonly metadata: readonly MetadataCase[] } = JSON.parse(readFileSync(caseFile, 'utf8'));

for (const [said, expected] of metadata.find(({ id }) => id === 'header-meta')?.cases ?? []) {
  test(`header-meta: ${said}: ${expected}`, () => {
    const tag = /^X-Robots-Tag: (.*)$/.exec(said)?.[1];
    const content = /content=(\w+)/.exec(said)?.[1] ?? '';
    const { index, follow } = tag === undefined ? meta('robots', content) : header(tag);
    expect(index).toBe(!expected.includes('not indexed'));
    expect(follow).toBe(!expected.includes('links not followed'));
  });
}
