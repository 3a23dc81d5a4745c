import { expect, test } from 'vitest';
import { pageUrl, type PageUrl } from '../model/page-url.ts';
import { admissionVerdict, type AdmissionRules } from './admission.ts';
import { DEFAULT_QUERY_POLICY } from './query-policy.ts';
import { compileUrlFilter } from './url-filter.ts';
import { DEFAULT_TRAP_LIMITS, trapVerdict } from './crawl-traps.ts';

const rules: AdmissionRules = {
  urlFilter: compileUrlFilter({
    starts: [pageUrl('https://x.dev/')],
    scope: 'host',
    include: [],
    exclude: ['/blog/**'],
    maxDepth: 3,
  }),
  robots: (url: PageUrl) =>
    new URL(url).pathname.startsWith('/private')
      ? { reason: 'robots-disallow', rule: 'robots.txt line 2: Disallow: /private' }
      : null,
  query: DEFAULT_QUERY_POLICY,
  traps: DEFAULT_TRAP_LIMITS,
};
const verdict = (href: string, depth = 1) =>
  admissionVerdict({ href, base: pageUrl('https://x.dev/a/'), depth }, rules);

test('a candidate is admitted in its normalised form', () => {
  expect(verdict('../b#part')).toEqual({ admit: true, url: 'https://x.dev/b', rawUrl: null, droppedParameters: [] });
});

test('the URL as it was written is reported if its query changed', () => {
  expect(verdict('/b?z=1&sessionid=4&a=2')).toEqual({
    admit: true,
    url: 'https://x.dev/b?a=2&z=1',
    rawUrl: 'https://x.dev/b?z=1&sessionid=4&a=2',
    droppedParameters: ['sessionid'],
  });
});

test('so is a URL with tracking parameters', () => {
  expect(verdict('/b?utm_source=mail#x')).toEqual({
    admit: true,
    url: 'https://x.dev/b',
    rawUrl: 'https://x.dev/b?utm_source=mail',
    droppedParameters: ['utm_source'],
  });
});

test.each([
  ['mailto:a@x.dev', 1, 'bad-url', 'not an http, https or file URL'],
  ['https://y.dev/', 1, 'out-of-scope', 'scope host: x.dev'],
  ['/blog/a', 1, 'out-of-scope', 'exclude /blog/**'],
  ['/deep', 4, 'max-depth', 'depth 3'],
  ['/private/a', 1, 'robots-disallow', 'robots.txt line 2: Disallow: /private'],
  ['/w?oldid=1', 1, 'query-skip', 'parameter oldid'],
  ['/a/b/a/b/a/b/a/b', 1, 'trap', 'repeated-segment: "a" occurs 4 times in the path'],
  ['/llms.txt', 0, 'discovery-file', 'llms.txt is never a document'],
  ['/docs/llms-full.txt', 0, 'discovery-file', 'llms-full.txt is never a document'],
  ['/logo.PNG', 1, 'asset', '.png files are not supported'],
])('%s at depth %i is excluded as %s by "%s"', (href, depth, reason, rule) => {
  expect(verdict(href, depth)).toMatchObject({ admit: false, reason, rule });
});

test('the first matching rule is reported', () => {
  expect(verdict('https://y.dev/private/a?oldid=1')).toMatchObject({ reason: 'out-of-scope' });
  expect(verdict('/private/a?oldid=1')).toMatchObject({ reason: 'robots-disallow' });
});

test('robots.txt is checked again for a URL that the query policy changed', () => {
  const ban = { reason: 'robots-disallow', rule: 'line 9' } as const;
  const strict = { ...rules, robots: (url: PageUrl) => (url === 'https://x.dev/s' ? ban : null) };
  const candidate = { href: 'https://x.dev/s?sessionid=1', depth: 1 };
  expect(admissionVerdict(candidate, strict)).toMatchObject({
    admit: false,
    reason: 'robots-disallow',
    url: 'https://x.dev/s',
  });
});

test.each([
  ['https://x.dev/calendar/2031/04', 'calendar'],
  ['https://x.dev/events/month/', 'calendar'],
  ['https://x.dev/cal?month=2031-04', 'calendar'],
  ['https://x.dev/e?ical=1', 'calendar'],
  [`https://x.dev/${'a/b'.repeat(800)}`, 'long-url'],
  [`https://x.dev/${Array.from({ length: 21 }, (_, i) => i).join('/')}`, 'deep-path'],
  ['https://x.dev/docs/docs/docs/docs/a', 'repeated-segment'],
  [`https://x.dev/f?${Array.from({ length: 13 }, (_, i) => `p${i}=1`).join('&')}`, 'many-parameters'],
])('%s is a trap: %s', (url, shape) => {
  expect(trapVerdict(pageUrl(url))).toMatchObject({ trap: true, shape });
});

test.each([
  'https://x.dev/blog/2024/01/31/release',
  'https://x.dev/api/calendar/widget.html',
  'https://x.dev/events/listener',
  'https://x.dev/api/java.base/java/lang/String.html',
  'https://x.dev/a?date=yesterday',
  'https://x.dev/doc/html/boost/boost/asio.html',
])('%s is not a trap', (url) => {
  expect(trapVerdict(pageUrl(url))).toEqual({ trap: false });
});
