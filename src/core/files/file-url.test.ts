import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunkPath } from '../chunk/chunk-path.ts';
import { diskPath, fileUrl, pathOfFileUrl, shownPath } from './file-url.ts';

test('an ordinary path is shown as it is', () => {
  for (const path of ['docs/guide.md', 'a b/ü#1?.md', '100% sure.md', 'std::vec.html', '日本/語.md']) {
    expect(shownPath(path)).toBe(path);
    expect(chunkPath(fileUrl(path))).toBe(path);
    expect(pathOfFileUrl(fileUrl(path))).toBe(path);
  }
});

test('every name on disk has one path and one URL, and leads back to itself', () => {
  const name = fc.string({
    unit: fc.constantFrom('a', '%', '2', '5', '0', 'A', 'e', '\n', '\u202e', '\\', '?', '#', ' ', 'é', ':'),
  });
  fc.assert(
    fc.property(name, (text) => {
      const shown = shownPath(`x${text}`);
      expect(/[\n\u202e\\]/.test(shown)).toBe(false);
      expect(diskPath(shown)).toBe(`x${text}`);
      expect(pathOfFileUrl(fileUrl(shown))).toBe(shown);
    }),
  );
});

test('a path that no name gives is refused', () => {
  expect(diskPath('a%2Fb')).toBeNull();
  expect(diskPath('%2E%2E')).toBeNull();
  expect(diskPath('%FF')).toBeNull();
});
