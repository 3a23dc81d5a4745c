import { expect, test } from 'vitest';
import { pageUrl } from '../../model/page-url.ts';
import { fileUrl } from '../../files/file-url.ts';
import { originOf, docsPath, pagesAtPath, parseSourceSegment, sourcePath } from './served-path.ts';

const WEB = 'https://x.dev';
const urls = [
  'https://x.dev/',
  'https://x.dev/guide',
  'https://x.dev/guide/',
  'https://x.dev/guide/index',
  'https://x.dev/index',
  'https://x.dev/guide.md',
  'https://x.dev/guide/index.md',
  'https://x.dev/a//b',
  'https://x.dev/caf%C3%A9/%2Fodd%3Fname',
  'https://x.dev/page?id=3&q=a/b.md',
  'https://x.dev/?q=1',
  'https://x.dev/a:b/c(d)',
  'https://x.dev/llms-full.txt.html',
  'https://x.dev/.md',
  'https://x.dev:8080/guide',
  'http://x.dev/guide',
  'https://api.x.dev/v1?x=%2F',
  'https://x.devil/guide',
].map((url) => pageUrl(url));
const files = ['guide.md', 'a b/ü+.txt', 'index.md', 'a%0Ab.md', 'a%41.md', 'https:/x', '?.md', '#.md', 'index'].map(
  fileUrl,
);

function resolved(address: string, base: string, origin: string): string | undefined {
  const { pathname, search } = new URL(address, 'http://server');
  return pagesAtPath(origin, pathname.slice(base.length + 1), search)[0];
}

test('[H5] every page has one address, which leads back to it', () => {
  for (const [origin, pages] of [
    [WEB, urls],
    ['file://', files],
  ] as const) {
    const addresses = pages.map((url) => docsPath('/docs/x', origin, url));
    expect(addresses.map((address) => resolved(address, '/docs/x', origin))).toEqual(pages);
    expect(new Set(addresses).size).toBe(pages.length);
    for (const address of addresses) expect(address).toMatch(/^\/docs\/x\/[^ ?]+\.md(?:\?.*)?$/);
  }
});

test('[H5] the address of an ordinary page is its path', () => {
  const address = (url: string) => docsPath('/docs/x', WEB, pageUrl(url));
  expect(address('https://x.dev/guide/install')).toBe('/docs/x/guide/install.md');
  expect(address('https://x.dev/')).toBe('/docs/x/index.md');
  expect(address('https://x.dev/page?id=3')).toBe('/docs/x/page.md?id=3');
  expect(address('https://y.dev/a')).toBe('/docs/x/https%3A%2F%2Fy.dev%2Fa.md');
});

test('[H5] a path that is typed rather than copied finds its page too', () => {
  expect(pagesAtPath(WEB, 'guide.md', '')).toContain('https://x.dev/guide.md');
  expect(pagesAtPath(WEB, 'guide/', '')).toEqual(['https://x.dev/guide/']);
  expect(pagesAtPath('file://', 'a+b.md', '')).toContain('file:///a%2Bb.md');
  expect(pagesAtPath(WEB, 'https://y.dev/a', '')).toContain('https://y.dev/a');
  expect(pagesAtPath(WEB, '%E0%A4%A', '')).toEqual(['https://x.dev/%E0%A4%A']);
});

test('[H5] a version is named after an @, also of a source with an @ in its name', () => {
  for (const [source, version] of [
    ['fastify', '5.2'],
    ['@scope/x', null],
    ['a@b', '1/2'],
    ['fastify', ''],
  ] as const) {
    const segment = sourcePath(source, version).slice('/docs/'.length);
    expect(segment).not.toContain('/');
    expect(parseSourceSegment(segment)[0]).toEqual({ source, version });
  }
  expect(parseSourceSegment('a@b').at(-1)).toEqual({ source: 'a@b', version: null });
  expect(originOf({ kind: 'folder', startUrl: '/home/ada/docs' })).toBe('file://');
});
