import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunkPath } from '../chunk/chunk-names.ts';
import { displayPath, displayUrl, fileUrl, parsePageReference, pathOfFileUrl, pathOnDisk } from './file-url.ts';

test('an ordinary path is displayed as it is', () => {
  for (const path of ['docs/guide.md', 'a b/ü#1?.md', '100% sure.md', 'std::vec.html', '日本/語.md']) {
    expect(displayPath(path)).toBe(path);
    expect(chunkPath(fileUrl(path))).toBe(path);
    expect(pathOfFileUrl(fileUrl(path))).toBe(path);
  }
});

test('every name on disk has one path and one URL, and round-trips', () => {
  const name = fc.string({
    unit: fc.constantFrom('a', '%', '2', '5', '0', 'A', 'e', '\n', '\u202e', '\\', '?', '#', ' ', 'é', ':'),
  });
  fc.assert(
    fc.property(name, (text) => {
      const displayed = displayPath(`x${text}`);
      expect(/[\n\u202e\\]/.test(displayed)).toBe(false);
      expect(pathOnDisk(displayed)).toBe(`x${text}`);
      expect(pathOfFileUrl(fileUrl(displayed))).toBe(displayed);
    }),
  );
});

test('a path that no file name maps to is rejected', () => {
  expect(pathOnDisk('a%2Fb')).toBeNull();
  expect(pathOnDisk('%2E%2E')).toBeNull();
  expect(pathOnDisk('%FF')).toBeNull();
});

test('[E1] a local file is shown by its path inside its folder, and found by it', () => {
  for (const path of ['docs/guide.md', 'a b/ü#1?.md', 'a&b.md', '100% sure.md', 'x%0Ay.md', '日本/語.md']) {
    const url = fileUrl(path);
    expect(displayUrl(url)).toBe(path);
    expect(parsePageReference(path, '/srv/docs')[0]).toEqual({ url, fragment: undefined });
    expect(displayUrl(`${url}#install`)).toBe(`${path}#install`);
    expect(parsePageReference(`/${path}#install`, '/srv/docs')).toContainEqual({ url, fragment: 'install' });
    expect(parsePageReference(url, '/srv/docs')).toEqual([{ url, fragment: undefined }]);
  }
  expect(displayUrl('https://x.dev/a#b')).toBe('https://x.dev/a#b');
  expect(parsePageReference('https://x.dev/a#b', '/srv/docs')).toEqual([{ url: 'https://x.dev/a', fragment: 'b' }]);
});

test('a path is that of a page on the site, or below the start of its source (finding T10)', () => {
  const urls = parsePageReference('/ref/settings.html#use-tz', 'https://x.dev/en/3.2/');
  expect(urls).toEqual([
    { url: 'https://x.dev/ref/settings.html', fragment: 'use-tz' },
    { url: 'https://x.dev/en/3.2/ref/settings.html', fragment: 'use-tz' },
  ]);
});
