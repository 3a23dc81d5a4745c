import { expect, test } from 'vitest';
import { agreedVersion, versionInTitle, versionInUrl } from './version-in-text.ts';

test.each([
  ['Django 1.4.9 release notes — Django 3.2.25 documentation', '3.2.25'],
  ['Runners — Python 3.11.2 documentation', '3.11.2'],
  ['3.11.2 Documentation', '3.11.2'],
  ['PostgreSQL 15.20 Documentation', '15.20'],
  ['Corepack | Node.js v18.20.4 Documentation', '18.20.4'],
  ['vaddr — LLVM 14 documentation', '14'],
  ['SQLAlchemy Documentation — SQLAlchemy 1.4 Documentation', '1.4'],
  ['User Guide - pip documentation v24.0', '24.0'],
  ['mod_logio - Apache HTTP Server Version 2.4', '2.4'],
  ['QEventLoop Class | Qt Core 5.15.8', '5.15.8'],
  ['Enum — Elixir v1.16.0', '1.16.0'],
  ['Client | fetcher - v1.2.3', '1.2.3'],
  ['BuildAdapter (Gradle API 4.4.1)', '4.4.1'],
  ['Socket (Java SE 17 & JDK 17)', '17'],
  ['Apache Tomcat 10 (10.1.60) - Monitoring and Managing Tomcat', '10.1.60'],
])('the title %j states %s', (title, version) => expect(versionInTitle(title)).toBe(version));

test.each([
  '',
  'V4 Migration Guide | fastify docs',
  'Migrating from 3.2 to 4.0',
  'git-clean(1)',
  'signal (7)',
  '39.2. Visibility of Data Changes',
  'Chapter 30. Reliability and the Write-Ahead Log',
  'Getting started | Part 2 Reference',
  'Caching (RFC 9111)',
  'open() (since 3.1)',
  'Java (17 and 21)',
  'C++20 documentation',
  'Web3 docs',
  'Windows 11 tips | Blog',
])('the title %j states none', (title) => expect(versionInTitle(title)).toBeNull());

test('a long hostile title takes little time', () => {
  const started = performance.now();
  for (const part of ['1.', 'v1 ', '(1 ', ' | 1', 'Documentation 1 ']) versionInTitle(part.repeat(200_000));
  expect(performance.now() - started).toBeLessThan(200);
});

test.each([
  ['https://docs.test/v3/guide/install', '3'],
  ['https://docs.python.test/3.11/library/os.html', '3.11'],
  ['https://www.postgresql.test/docs/15/index.html', '15'],
  ['https://docs.test/en/5.2/ref/settings/', '5.2'],
  ['https://v2.vuejs.test/guide/', '2'],
  ['https://docs.test/serde/1.0.197/serde/index.html', '1.0.197'],
])('%s states %s', (url, version) => expect(versionInUrl(url)).toBe(version));

test.each([
  'https://docs.test/guide/install',
  'https://docs.test/api/v1/users',
  'https://docs.test/blog/2024/05/hello',
  'https://docs.test/releases/4.2/',
  'https://docs.test/page/7/',
  'https://docs.test/latest/',
  'https://docs.test/whatsnew/3.11.html',
  'https://docs.test/lib/wx-2.2.1/doc/html/x.html',
  'file:///docs/3.11/a.md',
])('%s states none', (url) => expect(versionInUrl(url)).toBeNull());

test.each<[string, ReadonlyArray<string | null>, string | null, string | null]>([
  ['most pages', ['3.2.25', '3.2.25', '1.4.9', null, '3.2.25'], null, '3.2.25'],
  ['all pages', ['17'], null, '17'],
  ['exactly half of the pages', ['2.6.12', '2.6.12', '1.0', null], null, null],
  ['few pages', ['3.0', null, null], null, null],
  ['no page, but the title of llms.txt', [null, null], 'Django 5.2 documentation', '5.2'],
  ['few pages that contradict the title of llms.txt', [null, null, '4.2'], 'Django 5.2 documentation', null],
  ['no page and a title without a version', [null], 'Django', null],
  ['an empty source', [], null, null],
])('%s: %j', (_name, pages, title, expected) =>
  expect(agreedVersion(pages, { html: [], llmsTitle: title })).toBe(expected),
);

test.each<[string, ReadonlyArray<string | null>, ReadonlyArray<string | null>, string | null]>([
  ['agrees', [null, null], ['3.11.2', '3.11.2', '3.11.2'], '3.11.2'],
  ['disagrees', [null, null], ['3.11.2', '3.12', '3.11.2'], null],
  ['declares it on some pages only', [null, null], ['3.11.2', null], null],
  ['is that of one page', [null, null], ['3.11.2'], null],
  ['contradicts a stored page', [null, null, '3.12'], ['3.11.2', '3.11.2'], null],
])('for a site that is stored as Markdown, HTML that %s', (_name, pages, html, expected) => {
  expect(agreedVersion(pages, { html, llmsTitle: null })).toBe(expected);
});
