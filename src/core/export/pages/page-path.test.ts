import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileUrl } from '../../files/file-url.ts';
import { pageUrl, parsePageUrl, type PageUrl } from '../../model/page-url.ts';
import { assetPath, pagePath, pagePaths, possiblePagePaths } from './page-path.ts';

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

test('[E6] pages whose names differ only by case, form or extension get different files', () => {
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

/** What coding agents and tools read as instructions or as the description of a folder, as URLs of a site that wants them to. */
const OBEYED = [
  'AGENTS',
  'agents.md',
  'Agent',
  'AGENTS.override.md',
  'CLAUDE.md',
  'claude.html',
  'CLAUDE.local.md',
  'GEMINI',
  'docs/GEMINI.mdx',
  'skills/deploy/SKILL',
  'skills/deploy/skill.MD',
  'QWEN.md',
  'CRUSH.md',
  'WARP.md',
  'OpenCode.md',
  'replit.md',

  '.github/copilot-instructions.md',
  'copilot-instructions',
  '.cursorrules',
  '.windsurfrules',
  '.cursor/rules/a.md',
  '.claude/commands/a.md',
  '.clinerules/a',
  'README',
  'readme.html',
  'README.de.md',
  // Fullwidth, a long s, a Kelvin sign, a dotless i, a variation selector and a Hangul filler: equal to ASCII on some file system.
  '%EF%BC%A1GENTS.md',
  'AGENT%C5%BF.md',
  's%E2%84%AAill',
  'GEM%C4%B1NI',
  'CLAUDE%EF%B8%8F.md',
  'CLA%E3%85%A4UDE',
];
const READ_BY_AGENTS =
  /(?:^|\/)(?:\.|(?:agents?(?:\.\w+)?|claude(?:\.\w+)?|gemini|skill|qwen|crush|warp|opencode|replit|copilot-instructions)\.md$)|^readme\./;

/** As a file system that ignores case and invisible characters sees it. */
const onDisk = (path: string): string =>
  path
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase();

test.each(OBEYED)('a page at /%s never becomes a file that agents or tools obey (finding V05)', (path) => {
  const url = pageUrl(`${ORIGIN}/${path}`);
  expect(onDisk(pagePath(url, ORIGIN))).not.toMatch(READ_BY_AGENTS);
  expect(onDisk(assetPath(url))).not.toMatch(READ_BY_AGENTS);
  for (const file of possiblePagePaths(url, ORIGIN)) {
    expect(file).toMatch(/-[\da-f]{8}(?:-[\da-f]{64})?\.md$/);
    expect(onDisk(file)).not.toMatch(READ_BY_AGENTS);
  }
});

test.each([
  ['agents/overview', 'agents/overview.md'],
  ['agents/', 'agents/index.md'],
  ['guide/README', 'guide/README.md'],
  ['agents-sdk', 'agents-sdk.md'],
  ['claude.messages', 'claude.messages.md'],
  ['skills', 'skills.md'],
])('the ordinary page /%s keeps the file %s (finding V05)', (path, file) => {
  expect(pagePath(pageUrl(`${ORIGIN}/${path}`), ORIGIN)).toBe(file);
});

test('renamed pages get different files, the same in any order (finding V05)', () => {
  const urls = ['/AGENTS', '/agents', '/AGENTS.md', '/_AGENTS', '/stra%C3%9Fe', '/STRASSE'].map((path) =>
    pageUrl(ORIGIN + path),
  );
  const paths = pagePaths(urls, ORIGIN);
  expect(new Set([...paths.values()].map((path) => path.toUpperCase())).size).toBe(urls.length);
  expect(pagePaths(urls.toReversed(), ORIGIN)).toEqual(paths);
});
