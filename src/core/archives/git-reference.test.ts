import { expect, test } from 'vitest';
import { archiveSourceName, isSameArchiveSource, parseArchiveReference } from './archive-reference.ts';
import { archiveUrls, refsUrl } from './forge-urls.ts';
import { formatGitReference, parseGitReference, versionOfRef } from './git-reference.ts';
import { commitOf, gitRefsIn, isGitRefs } from './git-refs.ts';

test.each([
  ['git+https://github.com/o/r', 'git+https://github.com/o/r'],
  ['git+https://ada:pass@github.com/o/r.git/#v5.2:docs/', 'git+https://github.com/o/r#v5.2:docs'],
  ['git+https://gitlab.com/a/b/c#:docs', 'git+https://gitlab.com/a/b/c#:docs'],
  ['git+https://git.sr.ht/~ada/kettle#feature/x', 'git+https://git.sr.ht/~ada/kettle#feature/x'],
])('%s is stored as %s', (text, stored) => {
  expect(formatGitReference(parseGitReference(text))).toBe(stored);
});

test.each([
  'git+https://github.com/o',
  'git+https://github.com/o/r?x=1',
  'git+https://github.com/o/../r/x/..',
  'git+https://github.com/o/r#v1:../../etc',
  'git+https://github.com/o/r#a..b',
  'git+https://github.com/o/r#-x',
  'git+https://',
])('%s is not a git source', (text) => {
  expect(() => parseGitReference(text)).toThrow(/is not a git source/);
});

test.each([
  ['v5.2.0', '5.2.0'],
  ['fastify@5.2.0-rc.1', '5.2.0-rc.1'],
  ['release-3.1', '3.1'],
  ['main', 'main'],
  [null, ''],
])('the ref %s is the version %s', (ref, version) => {
  expect(versionOfRef(ref)).toBe(version);
});

test('each forge has its own form of archive URLs, and an unknown host is tried with all', () => {
  const urlsOf = (text: string): readonly string[] => archiveUrls(parseGitReference(text), 'abc');
  expect(urlsOf('git+https://github.com/o/r')).toEqual(['https://github.com/o/r/archive/abc.tar.gz']);
  expect(urlsOf('git+https://gitlab.com/a/b/c')).toEqual(['https://gitlab.com/a/b/c/-/archive/abc/c-abc.tar.gz']);
  expect(urlsOf('git+https://bitbucket.org/o/r')).toEqual(['https://bitbucket.org/o/r/get/abc.tar.gz']);
  expect(urlsOf('git+https://git.corp.example/o/r')).toHaveLength(3);
  expect(refsUrl(parseGitReference('git+https://git.sr.ht/~ada/r'))).toBe(
    'https://git.sr.ht/~ada/r/info/refs?service=git-upload-pack',
  );
});

const line = (text: string): string => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;

test('an annotated tag is its commit, and a tag comes before a branch of the same name', () => {
  const id = (digit: string): string => digit.repeat(40);
  const text = [
    line('# service=git-upload-pack\n'),
    '0000',
    line(`${id('a')} HEAD\0symref=HEAD:refs/heads/main\n`),
    line(`${id('b')} refs/heads/v1\n`),
    line(`${id('c')} refs/tags/v1\n`),
    line(`${id('d')} refs/tags/v1^{}\n`),
    '0000',
  ].join('');
  const body = new TextEncoder().encode(text);
  expect(isGitRefs(body)).toBe(true);
  const refs = new Map([...gitRefsIn(body)].filter((ref) => ref !== null));
  expect(commitOf(refs, 'v1')).toEqual({ kind: 'tag', id: id('d') });
  expect(commitOf(refs, null)).toEqual({ kind: 'branch', id: id('a') });
  expect(commitOf(refs, 'v2')).toBeNull();
  expect(isGitRefs(new TextEncoder().encode('<!doctype html>'))).toBe(false);
});

test('references to two versions are of one source', () => {
  const [one, other] = ['npm:@tea/kettle@^3', 'npm:@tea/kettle'].map((text) => parseArchiveReference(text)!);
  expect(isSameArchiveSource(one!, other!)).toBe(true);
  expect(archiveSourceName(one!)).toBe('npm:@tea/kettle');
  expect(archiveSourceName(parseArchiveReference('crate:serde')!)).toBe('cargo:serde');
  expect(archiveSourceName(parseArchiveReference('git+https://github.com/Fastify/fastify#v5')!)).toBe(
    'fastify/fastify',
  );
  expect(parseArchiveReference('https://zod.dev')).toBeNull();
});
