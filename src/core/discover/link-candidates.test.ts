import { expect, test } from 'vitest';
import { aliasKey, canonicalVerdict, linkCandidates, outlinkKeys, malformedLinks } from './link-candidates.ts';
import type { Link } from '../model/document.ts';
import { pageUrl, urlKey } from '../model/page-url.ts';

const PAGE = pageUrl('https://x.dev/docs/a');
const link = (href: string, more: Partial<Link> = {}): Link => ({ href, text: 't', rel: [], inContent: true, ...more });
const candidates = (links: readonly Link[], follow = true) => linkCandidates({ page: PAGE, depth: 2, links, follow });

test('candidates are absolute, without fragment, unique and one level deeper', () => {
  const { candidates: found } = candidates([
    link('b#1', { inContent: false }),
    link('b#2'),
    link('#own'),
    link('https://x.dev/docs/a'),
  ]);
  expect(found).toEqual([{ url: 'https://x.dev/docs/b', depth: 3, text: 't', inContent: true }]);
});

test('a nofollow link is set aside unless another link leads to the page', () => {
  const { candidates: found, nofollow } = candidates([
    link('b', { rel: ['nofollow'] }),
    link('c', { rel: ['nofollow', 'noopener'] }),
    link('c'),
    link('d', { rel: ['ugc'] }),
  ]);
  expect(found.map(({ url }) => url)).toEqual(['https://x.dev/docs/c', 'https://x.dev/docs/d']);
  expect(nofollow).toEqual(['https://x.dev/docs/b']);
});

test('a nofollow page has no candidates', () => {
  expect(candidates([link('b')], false)).toMatchObject({ candidates: [], nofollow: ['https://x.dev/docs/b'] });
});

test('other schemes are counted, and files are never reachable from the web', () => {
  const { otherSchemes, candidates: found } = candidates([
    link('mailto:a@x.dev'),
    link('javascript:x'),
    link('file:///etc/passwd'),
  ]);
  expect([otherSchemes, found.length]).toEqual([3, 0]);
});

test('more links than the limit are counted as overflow', () => {
  const { candidates: found, overflow } = candidates(Array.from({ length: 20_005 }, (_, i) => link(`p${i}`)));
  expect([found.length, overflow]).toEqual([20_000, 5]);
});

const onHost = (url: string) => new URL(url).host === 'x.dev';

test.each([
  [null, { kind: 'own' }],
  ['', { kind: 'own' }],
  ['https://x.dev/docs/a', { kind: 'own' }],
  ['/docs/a/', { kind: 'alias', of: 'https://x.dev/docs/a/' }],
  ['https://x.dev/docs/b', { kind: 'alias', of: 'https://x.dev/docs/b' }],
  ['https://staging.x.dev/docs/a', { kind: 'ignored', reason: 'out of scope' }],
  ['https://x.dev/', { kind: 'ignored', reason: 'it names the front page' }],
  ['javascript:1', { kind: 'ignored', reason: 'not a web URL' }],
])('canonical %s', (canonical, verdict) => {
  expect(canonicalVerdict(PAGE, canonical, onHost)).toEqual(verdict);
});

test('an index file may have the front page as canonical', () => {
  expect(canonicalVerdict(pageUrl('https://x.dev/index.html'), '/', onHost)).toEqual({
    kind: 'alias',
    of: 'https://x.dev/',
  });
});

const self = pageUrl('https://x.dev/guide/');

test('outlinks are the distinct web links in the content, without fragments and navigation', () => {
  const links = [
    link('https://x.dev/a#one'),
    link('https://x.dev/a#two'),
    link('https://x.dev/nav', { inContent: false }),
    link('https://x.dev/guide/#top'),
    link('mailto:a@x.dev'),
    link('https://y.dev/b'),
  ];
  expect(outlinkKeys({ url: self, links })).toEqual(
    ['https://x.dev/a', 'https://y.dev/b'].map((url) => urlKey(pageUrl(url))),
  );
});

test('outlinks are limited', () => {
  const links = Array.from({ length: 2000 }, (_, n) => link(`https://x.dev/${n}`));
  expect(outlinkKeys({ url: self, links })).toHaveLength(500);
});

test.each([
  ['https://x.dev/docs/', 'https://x.dev/docs'],
  ['https://x.dev/docs/index.html', 'https://x.dev/docs/'],
  ['http://x.dev/docs', 'https://x.dev/docs'],
  ['https://x.dev/index.php', 'https://x.dev/'],
  ['https://x.dev/a//b', 'https://x.dev/a/b'],
])('%s and %s may be the same page', (a, b) => {
  expect(aliasKey(pageUrl(a))).toBe(aliasKey(pageUrl(b)));
});

test.each([
  ['https://x.dev/docs', 'https://x.dev/docs?v=2'],
  ['https://x.dev/a/myindex.html', 'https://x.dev/a/'],
  ['https://x.dev/a', 'https://x.dev/A'],
  ['https://x.dev/a', 'https://x.dev:8443/a'],
])('%s and %s are different pages', (a, b) => {
  expect(aliasKey(pageUrl(a))).not.toBe(aliasKey(pageUrl(b)));
});

test('links that name a host and are no URL are malformed; others are not', () => {
  const hrefs = [
    'http://[bad',
    'http://[bad',
    '//a b/',
    'https://x.dev/%zz',
    'mailto:a',
    'a b',
    '/x',
    ':',
    'http://x.dev/',
  ];
  expect(malformedLinks(hrefs.map((href) => ({ href })))).toEqual(['http://[bad', '//a b/']);
  expect(malformedLinks([{ href: `http://[${'x'.repeat(1000)}` }])[0]).toHaveLength(500);
});
