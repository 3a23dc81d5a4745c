import { expect, test } from 'vitest';
import type { Link } from '../model/document.ts';
import { pageUrl } from '../model/page-url.ts';
import { baseOf, canonicalVerdict, linkCandidates } from './link-candidates.ts';

const PAGE = pageUrl('https://x.dev/docs/a');
const link = (href: string, more: Partial<Link> = {}): Link => ({ href, text: 't', rel: [], inContent: true, ...more });
const candidates = (links: readonly Link[], follow = true) => linkCandidates({ page: PAGE, depth: 2, links, follow });

test.each([
  [null, 'https://x.dev/docs/a'],
  ['/v2/', 'https://x.dev/v2/'],
  ['https://cdn.dev/b/', 'https://cdn.dev/b/'],
  ['javascript:1', 'https://x.dev/docs/a'],
  ['file:///etc/', 'https://x.dev/docs/a'],
])('with the base href %s, addresses refer to %s', (href, base) => {
  expect(baseOf(PAGE, href)).toBe(base);
});

test('candidates are absolute, without fragment, each once and one deeper', () => {
  const { candidates: found } = candidates([
    link('b#1', { inContent: false }),
    link('b#2'),
    link('#own'),
    link('https://x.dev/docs/a'),
  ]);
  expect(found).toEqual([{ url: 'https://x.dev/docs/b', depth: 3, text: 't', inContent: true }]);
});

test('nofollow sets a link aside unless another link recommends the page', () => {
  const { candidates: found, nofollow } = candidates([
    link('b', { rel: ['nofollow'] }),
    link('c', { rel: ['nofollow', 'noopener'] }),
    link('c'),
    link('d', { rel: ['ugc'] }),
  ]);
  expect(found.map(({ url }) => url)).toEqual(['https://x.dev/docs/c', 'https://x.dev/docs/d']);
  expect(nofollow).toEqual(['https://x.dev/docs/b']);
});

test('a page that asks not to be followed gives no candidates', () => {
  expect(candidates([link('b')], false)).toMatchObject({ candidates: [], nofollow: ['https://x.dev/docs/b'] });
});

test('other schemes are counted, files are never reached from the web', () => {
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
  ['https://staging.x.dev/docs/a', { kind: 'ignored', because: 'out of scope' }],
  ['https://x.dev/', { kind: 'ignored', because: 'it names the front page' }],
  ['javascript:1', { kind: 'ignored', because: 'not a web address' }],
])('canonical %s', (canonical, verdict) => {
  expect(canonicalVerdict(PAGE, canonical, onHost)).toEqual(verdict);
});

test('the index file may name the front page', () => {
  expect(canonicalVerdict(pageUrl('https://x.dev/index.html'), '/', onHost)).toEqual({
    kind: 'alias',
    of: 'https://x.dev/',
  });
});
