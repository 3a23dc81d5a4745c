import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileUrl } from '../../files/file-url.ts';
import { pageUrl, parsePageUrl, type PageUrl } from '../../model/page-url.ts';
import { pagePath, pagePaths } from './page-path.ts';

const ORIGIN = 'https://x.dev';

test.each([
  ['https://x.dev/', 'index.md'],
  ['https://x.dev/guide', 'guide.md'],
  ['https://x.dev/guide/', 'guide/index.md'],
  ['https://x.dev/guide/install.html', 'guide/install.md'],
  ['https://x.dev/guide.md', 'guide.md'],
  ['https://x.dev/caf%C3%A9/%E6%96%87', 'café/文.md'],
  ['https://api.x.dev/v1', 'api.x.dev/v1.md'],
])('[E6] %s is the file %s', (url, path) => {
  expect(pagePath(pageUrl(url), ORIGIN)).toBe(path);
});

test('[E6] a local file keeps the extension that says what it is', () => {
  expect(pagePath(fileUrl('src/widget.py'), 'file://')).toBe('src/widget.py.md');
});

test.each([
  ['https://x.dev/install?tab=npm', /^install-tab=npm-[\da-f]{8}\.md$/],
  ['https://x.dev/%2e%2e%2f%2e%2e%2fetc/passwd', /^_-\.\.-etc\/passwd-[\da-f]{8}\.md$/],
  ['https://x.dev/.git/hooks/pre-commit', /^_git\/hooks\/pre-commit-[\da-f]{8}\.md$/],
  ['https://x.dev/nul/con.txt', /^_nul\/_con\.txt-[\da-f]{8}\.md$/],
  ['https://x.dev/a%00b%0Ac', /^a-b-c-[\da-f]{8}\.md$/],
  ['https://x.dev/a.md/b', /^a\.md_\/b-[\da-f]{8}\.md$/],
  ['https://x.dev/.md', /^_md-[\da-f]{8}\.md$/],
  [`https://x.dev/${'x'.repeat(300)}`, /^x{100}-[\da-f]{8}\.md$/],
  ['https://x.dev//a', /^_\/a-[\da-f]{8}\.md$/],
])('[E6] %s gets a safe name and a hash', (url, path) => {
  expect(pagePath(pageUrl(url), ORIGIN)).toMatch(path);
});

test('[E6] pages whose names differ only by case, form or extension get different files, whatever their order', () => {
  const urls = ['/API', '/api', '/api.html', '/caf%C3%A9', '/cafe%CC%81', '/a', '/a/', '/a/index'].map((path) =>
    pageUrl(ORIGIN + path),
  );
  const paths = pagePaths(urls, ORIGIN);
  expect(new Set([...paths.values()].map((path) => path.toLowerCase().normalize('NFC'))).size).toBe(urls.length);
  expect(pagePaths(urls.toReversed(), ORIGIN)).toEqual(paths);
  expect(paths.get(urls[0] as PageUrl)).toBe('API.md');
});

test('[E6] no URL leads out of the folder or to a hidden file', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('..', '%2e%2e', '.', '%2F', '%5C', 'C:', '~', ' ', '%00', '.git', 'CON', '\u202E'),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), fc.constantFrom('https://x.dev/', 'file:///', ''), (parts, base) => {
      const url = parsePageUrl(base + parts.join('/'), 'https://x.dev');
      if (url === null) return;
      for (const origin of [ORIGIN, 'file://', '']) {
        const names = pagePath(url, origin).split('/');
        expect(names.every((name) => /^[^./\\:\p{C}][^/\\:\p{C}]*$/u.test(name))).toBe(true);
        expect(names.at(-1)).toMatch(/\.md$/);
        expect(names.slice(0, -1).some((name) => /\.md$|\.$/i.test(name))).toBe(false);
      }
    }),
  );
});
