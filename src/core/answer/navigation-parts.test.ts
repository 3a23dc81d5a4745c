import { expect, test } from 'vitest';
import { isNavigation } from './navigation-parts.ts';

test.each([
  [
    'the table of contents of Fastify',
    '- [Factory](https://x.dev/Server#factory)\n  - [`http`](https://x.dev/Server#http)\n  - [`http2`](https://x.dev/Server#http2)',
  ],
  [
    'the topics of Django',
    '- [Models](https://x.dev/models.html)\n- [Making queries](https://x.dev/queries.html)\n- [Performing raw SQL queries](https://x.dev/sql.html)',
  ],
  [
    'a chapter of PostgreSQL',
    '## Chapter 30. Reliability and the Write-Ahead Log\n\n**Table of Contents**\n\n- [30.1. Reliability](https://x.dev/a.html)\n  [30.2. Data Checksums](https://x.dev/b.html)\n\n  - [30.2.1. Off-line Enabling of Checksums](https://x.dev/b.html#c)',
  ],
  [
    'the index of Next.js',
    '## app\n\n- [App Router](https://x.dev/app)\n- [API Reference](https://x.dev/app/api-reference)\n- [Adapters](https://x.dev/app/adapters)',
  ],
  [
    'the table of built-in functions of Python',
    '<table>\n<tr><td><strong>A</strong> <br><a href="https://x.dev/f#abs"><code>abs()</code></a> <br><a href="https://x.dev/f#aiter"><code>aiter()</code></a></td><td><a href="https://x.dev/f#all"><code>all()</code></a></td></tr>\n</table>',
  ],
  [
    'the module and the package of a Java class',
    'Module [java.base](https://x.dev/module-summary.html)\n\nPackage [java.util](https://x.dev/package-summary.html)',
  ],
  ['breadcrumbs', '[Home](/) › [Guides](/guides) › Caching and revalidating'],
  ['a row of pages', '[Prev](wal.html) | [Up](admin.html) | [Home](index.html) | [Next](wal-intro.html)'],
  ['a row with titles', 'Previous: [Routes](/routes) Next: [Hooks](/hooks)'],
  [
    'a list with a short introduction',
    'On this page: see\n\n- [Installing the package](#a)\n- [Configuring the server](#b)\n- [Deployment](#c)',
  ],
  ['a title alone', '### `ABSOLUTE_URL_OVERRIDES`'],
  ['a title and a subtitle', '# Server\n\n# Fastify\n'],
  ['one link', '[Legal Notice](https://x.dev/legalnotice.html)'],
])('%s is navigation', (_name, markdown) => expect(isNavigation(markdown)).toBe(true));

test.each([
  [
    'the guides of Fastify with descriptions',
    '- [Benchmarking](/a): This guide introduces how to benchmark applications based on Fastify.\n- [Contributing](/b): Details how to participate in the development of Fastify.\n- [Hooks](/c): How hooks run.',
  ],
  [
    'a setting of Django',
    '### `USE_TZ`\n\nDefault: `False`\n\nWhether datetimes are aware, see [`TIME_ZONE`](#a), [`USE_I18N`](#b).',
  ],
  [
    'the known classes of a Java interface',
    '- **All Known Implementing Classes:**\n  [`AbstractList`](/a), [`ArrayList`](/b), [`LinkedList`](/c), [`Vector`](/d)',
  ],
  [
    'a table of methods with descriptions',
    '| `boolean` | [`add(E e)`](#add) | Appends the element to the end of this list. |\n| `void` | [`clear()`](#clear) | Removes all elements. |',
  ],
  ['a signature of Python', "[`TarFile.extractall(path='.', members=None)`](https://x.dev/tarfile.html#a)"],
  ['the comments of a program', '# One\n# Two\n# Three\n# Four'],
  ['a table of numbers', '| 1 | 2 |\n| --- | --- |\n| 3 | 4 |'],
  ['a list of names without links', '- HTML\n- CSS\n- JavaScript'],
  ['a sentence with links', 'Use [`fetch`](/fetch) or [`request`](/request) with [undici](/undici).'],
  ['code', '```js\n[a](b)\n```'],
  ['a link to each command, and its code', '- [add](/a)\n- [commit](/b)\n- [push](/c)\n\n```sh\ngit add .\n```'],
  [
    'a card whose text is a description',
    '[Caching Learn how Next.js caches data on the server and how to opt out of it for one request](/caching)',
  ],
  ['prose', 'A model is the single, definitive source of information about your data.'],
])('%s is not navigation', (_name, markdown) => expect(isNavigation(markdown)).toBe(false));

test('hostile text takes little time', () => {
  const started = performance.now();
  for (const part of ['[', '](', '<a <a ', '<a x>', '[a](b) ', '› ', '# '])
    isNavigation(part.repeat(Math.ceil(100_000 / part.length)));
  expect(performance.now() - started).toBeLessThan(2000);
});
