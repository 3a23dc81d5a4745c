import { expect, test } from 'vitest';
import { pageUrl } from '../model/page-url.ts';
import { licenseChallenge, linkedLicenses, storedTerms, withLicenses } from './licenses.ts';

const page = pageUrl('https://x.dev/docs/a');

test.each([
  ['<https://x.dev/license.xml>; rel="license"; type="application/rsl+xml"', ['https://x.dev/license.xml']],
  ['</license.xml>; rel=license', ['https://x.dev/license.xml']],
  ['</b>; rel="next license"', ['https://x.dev/b']],
  ['</a.css>; rel=preload, </l>; REL="License"', ['https://x.dev/l']],
  ['</l>; rel=license, </m>; rel=license, </l>; rel=license', ['https://x.dev/l', 'https://x.dev/m']],
  ['<javascript:alert(1)>; rel=license, <file:///etc/passwd>; rel=license', []],
  ['</a>; rel=licensed', []],
  ['nonsense; rel=license', []],
  ['', []],
])('Link: %s', (header, expected) => {
  expect(linkedLicenses(header, page)).toEqual(expected);
});

test('a hostile header names few licenses', () => {
  const header = Array.from({ length: 5000 }, (_, nth) => `</${nth}>; rel=license`).join(', ');
  expect(linkedLicenses(header, page)).toHaveLength(20);
});

test.each([
  ['License', '', null],
  ['License error="invalid_request", error_uri="https://x.dev/why"', '', 'https://x.dev/why'],
  ['License error_uri="https://x.dev/why"', '</l.xml>; rel=license', 'https://x.dev/l.xml'],
  ['Bearer realm="a", License', '</l.xml>; rel=license', 'https://x.dev/l.xml'],
  ['license error_uri="javascript:alert(1)"', '', null],
])('WWW-Authenticate: %s, Link: %s', (challenge, link, license) => {
  expect(licenseChallenge({ challenge, link }, page)).toEqual({ license });
});

test.each(['Bearer', 'Basic realm="License"', 'Licensed', ''])('%s is no license challenge', (challenge) => {
  expect(licenseChallenge({ challenge, link: '' }, page)).toBeNull();
});

test('licenses of robots.txt come first, and the newest of the pages stay', () => {
  const profile = withLicenses(
    { usageTerms: ['License: https://x.dev/r.xml', 'License: /relative', 'Content-Signal: search=yes'] },
    ['https://x.dev/a'],
  );
  expect(storedTerms(profile).licenses).toEqual(['https://x.dev/r.xml', 'https://x.dev/a']);
  const many = withLicenses(
    profile,
    Array.from({ length: 30 }, (_, nth) => `https://x.dev/${nth}`),
  );
  expect(many.linkedLicenses).toHaveLength(20);
  expect(many.linkedLicenses.at(-1)).toBe('https://x.dev/29');
  expect(storedTerms({ usageTerms: 7 })).toEqual({ usageTerms: [], licenses: [] });
});
