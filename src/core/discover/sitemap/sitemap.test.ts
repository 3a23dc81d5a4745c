import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { pageUrl } from '../../model/page-url.ts';
import type { SitemapLimits, SitemapOutcome } from './sitemap-entry.ts';
import { createSitemapReader, mayFollowIndex } from './sitemap.ts';
import { workMs } from '../../../../test/support/work-time.ts';

const FILE = pageUrl('https://x.dev/maps/sitemap.xml');
const LIMITS: SitemapLimits = { maxEntries: 1000, maxDecodedBytes: 1_000_000, maxIndexDepth: 2 };

/** Feeds the file in chunks of a size, as a network would. */
function read(file: string | Uint8Array, chunk = 7, limits = LIMITS): SitemapOutcome {
  const octets = typeof file === 'string' ? new TextEncoder().encode(file) : file;
  const reader = createSitemapReader(FILE, limits);
  for (let at = 0; at < octets.length; at += chunk) if (!reader.push(octets.subarray(at, at + chunk))) break;
  return reader.end();
}

const URLSET = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url><loc> https://x.dev/a?b=1&amp;c=2 </loc><lastmod>2026-01-31T10:00:00+01:00</lastmod><priority>0.5</priority></url>
  <url>
    <loc><![CDATA[https://x.dev/é]]></loc>
    <lastmod>yesterday</lastmod>
    <image:image><image:loc>https://x.dev/i.png</image:loc></image:image>
  </url>
  <url><lastmod>2026-01-01</lastmod></url>
  <url><loc>mailto:a@x.dev</loc></url>
</urlset>`;

test('a urlset yields its pages, with dates as written and without other vocabularies', () => {
  expect(read(URLSET)).toEqual({
    entries: [
      { kind: 'page', url: 'https://x.dev/a?b=1&c=2', lastModified: '2026-01-31T10:00:00+01:00' },
      { kind: 'page', url: 'https://x.dev/%C3%A9', lastModified: null },
    ],
    skipped: 2,
    stopped: null,
  });
});

test('chunks of any size, down to one byte, give the same result', () => {
  for (const chunk of [1, 2, 13, 64, 100_000]) expect(read(URLSET, chunk)).toEqual(read(URLSET));
  const zipped = gzipSync(URLSET);
  for (const chunk of [1, 2, 13, 64, 100_000]) expect(read(zipped, chunk)).toEqual(read(URLSET));
});

test('an index yields sitemaps, with relative URLs resolved against the index', () => {
  const index = '<sitemapindex><sitemap><loc>part-1.xml.gz</loc><lastmod>2026-02-03</lastmod></sitemap></sitemapindex>';
  expect(read(index).entries).toEqual([
    { kind: 'sitemap', url: 'https://x.dev/maps/part-1.xml.gz', lastModified: '2026-02-03' },
  ]);
});

test('a namespace prefix on the root is supported', () => {
  const prefixed = '<s:urlset xmlns:s="x"><s:url><s:loc>https://x.dev/a</s:loc></s:url></s:urlset>';
  expect(read(prefixed).entries.map(({ url }) => url)).toEqual(['https://x.dev/a']);
});

test('a plain list has one URL per line', () => {
  expect(read('\uFEFFhttps://x.dev/a\r\nhttps://x.dev/b\n\nnot a URL\nfile:///etc/passwd\nhttps://x.dev/c')).toEqual({
    entries: ['a', 'b', 'c'].map((name) => ({ kind: 'page', url: `https://x.dev/${name}`, lastModified: null })),
    skipped: 2,
    stopped: null,
  });
});

test('UTF-16 with a byte order mark is decoded', () => {
  expect(read(Buffer.from(`\uFEFF${URLSET}`, 'utf16le')).entries).toHaveLength(2);
});

test('a document type stops parsing before its definitions are used', () => {
  const bomb = `<!DOCTYPE urlset [<!ENTITY a "${'x'.repeat(100)}">]><urlset><url><loc>https://x.dev/&a;</loc></url></urlset>`;
  expect(read(bomb)).toMatchObject({ entries: [], stopped: { reason: 'doctype' } });
});

test('entries before an XML error are kept', () => {
  const broken = '<urlset><url><loc>https://x.dev/a</loc></url><url><loc>https://x.dev/b</url></urlset>';
  const outcome = read(broken);
  expect(outcome.entries.map(({ url }) => url)).toEqual(['https://x.dev/a']);
  expect(outcome.stopped?.reason).toBe('malformed');
  expect(read('<urlset><url><loc>https://x.dev/a</loc></url>').stopped?.reason).toBe('malformed');
});

test('bare ampersands in URLs are accepted', () => {
  const loose =
    '<urlset><url><loc>https://x.dev/?a=1&b=2&amp;c=3&nbsp;</loc></url><url><loc><![CDATA[https://x.dev/?d&e]]></loc></url></urlset>';
  for (const chunk of [1, 5, 1000]) {
    expect(read(loose, chunk).entries.map(({ url }) => url)).toEqual([
      'https://x.dev/?a=1&b=2&c=3&nbsp;',
      'https://x.dev/?d&e',
    ]);
  }
});

test.each([
  ['<!-- x --><html><body>Not found</body></html>', 'not-a-sitemap'],
  ['<opml><body></body></opml>', 'not-a-sitemap'],
  ['Not found', 'not-a-sitemap'],
  ['', 'not-a-sitemap'],
])('%s is not a sitemap', (file, reason) => {
  expect(read(file)).toMatchObject({ entries: [], stopped: { reason } });
});

test('entries beyond the limit are dropped, and that is reported', () => {
  const many = `<urlset>${Array.from({ length: 1005 }, (_, i) => `<url><loc>https://x.dev/${i}</loc></url>`).join('')}</urlset>`;
  expect(read(many)).toMatchObject({ stopped: { reason: 'too-many-entries' } });
  expect(read(many).entries).toHaveLength(1000);
  expect(read('https://x.dev/a\n'.repeat(1005)).entries).toHaveLength(1000);
});

test('a gzip bomb is stopped at the decoded limit', () => {
  const bomb = gzipSync(`<urlset>${' '.repeat(200_000_000)}</urlset>`);
  const before = process.memoryUsage().rss;
  expect(read(bomb, 65_536)).toMatchObject({ stopped: { reason: 'too-large' } });
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
});

test('corrupt and truncated gzip is reported', () => {
  const zipped = gzipSync(URLSET);
  expect(read(zipped.subarray(0, zipped.length - 40)).stopped?.reason).toBe('malformed');
  const damaged = Buffer.from(zipped);
  damaged.fill(0xff, 40, 80);
  expect(read(damaged).stopped?.reason).toBe('malformed');
});

test('hostile files take little time', () => {
  const large = { ...LIMITS, maxDecodedBytes: 100_000_000 };
  const run = (): void => {
    for (const file of [
      '<urlset>',
      '<a>'.repeat(1000),
      `<urlset><url><loc>${'a'.repeat(5_000_000)}`,
      'x'.repeat(5_000_000),
      '<'.repeat(5_000_000),
      `<urlset>${'<url><loc>&amp;</loc></url>'.repeat(100_000)}`,
    ])
      read(file, 65_536, large);
  };
  expect(workMs(run)).toBeLessThan(5000);
});

test('indexes are followed up to a depth', () => {
  expect([0, 1, 2].map((depth) => mayFollowIndex(depth, LIMITS))).toEqual([true, true, false]);
});
