import { expect, test } from 'vitest';
import { pageUrl } from '../core/model/page-url.ts';
import { createExtractorRegistry } from '../core/extract/extractor-registry.ts';
import type { RawPage } from '../core/extract/extractor.ts';
import { portableExtractors } from './formats.ts';
import { expandIncludes } from '../core/extract/markup/includes.ts';

const registry = createExtractorRegistry(portableExtractors);
const page = (name: string, text: string): RawPage => ({
  url: pageUrl(`file:///${name}`),
  mediaType: null,
  body: new TextEncoder().encode(text),
});
const extract = async (name: string, text: string) => (await registry.extractAsync(page(name, text))).document;
const chosen = (name: string, text: string) => registry.choose(page(name, text)).name;

const RST = `=====
Guide
=====

Install
-------

Run \`\`pip install x\`\`, see \`the docs <https://x.dev/docs>\`_ or Home_.

.. _Home: https://x.dev/

.. code-block:: python

   def f():
       return 1

.. warning:: Do not run it twice.

=====  =====
Name   Value
=====  =====
a      1
b      2
=====  =====

+-----+-------+
| one | two   |
+=====+=======+
| x   | - y   |
+-----+-------+

Then::

    $ make

API
---

.. function:: connect(host)

   Opens a connection.
`;

test('[L3] reStructuredText keeps headings, code, tables, admonitions and links (finding T4.3)', async () => {
  const { title, text, outline, links } = await extract('guide.rst', RST);
  expect(title).toBe('Guide');
  expect(outline.map(({ level, text: heading, anchor }) => [level, heading, anchor])).toEqual([
    [1, 'Guide', 'guide'],
    [2, 'Install', 'install'],
    [2, 'API', 'api'],
    [3, 'connect', 'connect'],
  ]);
  expect(text).toContain('Run `pip install x`, see [the docs](https://x.dev/docs) or [Home](https://x.dev/).');
  expect(text).toContain('```python\ndef f():\n    return 1\n```');
  expect(text).toContain('> **Warning**\n>\n> Do not run it twice.');
  expect(text).toContain('| Name | Value |\n| --- | --- |\n| a | 1 |\n| b | 2 |');
  expect(text).toContain('| one | two |\n| --- | --- |\n| x | - y |');
  expect(text).toContain('Then:\n\n```\n$ make\n```');
  expect(text).toContain('`connect(host)`');
  expect(links.map(({ href }) => href)).toEqual(expect.arrayContaining(['https://x.dev/docs', 'https://x.dev/']));
});

const ASCIIDOC = `= Guide
:version: 2.1

== Install

Version {version} of *Guide*, see https://x.dev[the site].

[source,java]
----
class A { <1> }
----
<1> The class

NOTE: Read this.

[cols="1,1",options="header"]
|===
|Name |Value
|a |1
|b |2
|===

-v::
--verbose::
	Print more.
+
Even more.

List:

* one
** inner
* two

ifdef::never[]
hidden
endif::[]
`;

test('[L3] AsciiDoc keeps headings, code, tables, admonitions and lists (finding T4.3)', async () => {
  const { title, text, outline } = await extract('guide.adoc', ASCIIDOC);
  expect(title).toBe('Guide');
  expect(outline.map(({ level, text: heading }) => [level, heading])).toEqual([
    [1, 'Guide'],
    [2, 'Install'],
  ]);
  expect(text).toContain('Version 2.1 of **Guide**, see [the site](https://x.dev');
  expect(text).toContain('```java\nclass A { <1> }\n```');
  expect(text).toContain('> **Note**\n>\n> Read this.');
  expect(text).toContain('| Name | Value |\n| --- | --- |\n| a | 1 |\n| b | 2 |');
  expect(text).toMatch(/\*\*-v\*\*\n {2}\*\*--verbose\*\*\n+ {2}Print more\.\n\n {2}Even more\./);
  expect(text).toContain('- one\n  - inner\n- two');
  expect(text).not.toContain('hidden');
});

test('[L3] a manual page keeps sections, options, code and tables', async () => {
  const { title, text, outline } = await extract(
    'tool.1',
    String.raw`.TH TOOL 1 2024-01-01
.SH NAME
tool \- does \fIthings\fR
.SH OPTIONS
.TP
.BR \-v , " \-\-verbose"
Print more.
.RS
.IP \(bu 2
first
.RE
.SS Example
.nf
$ tool \-v
    done
.fi
.TS
tab(;) allbox;
lb lb
l l.
Name;Value
a;1
.TE
`,
  );
  expect(title).toBe('TOOL(1)');
  expect(outline.map(({ level, text: heading }) => [level, heading])).toEqual([
    [2, 'NAME'],
    [2, 'OPTIONS'],
    [3, 'Example'],
  ]);
  expect(text).toContain('tool - does *things*');
  expect(text).toMatch(/- \*\*-v\*\*, \*\*--verbose\*\*\n+ {2}Print more\.\n\n {2}- first/);
  expect(text).toContain('```\n$ tool -v\n    done\n```');
  expect(text).toContain('| Name | Value |\n| --- | --- |\n| a | 1 |');
});

test('[L3] a manual page in the macros of BSD is read', async () => {
  const { title, text } = await extract(
    'strtoi.3',
    '.Dd May 1, 2024\n.Dt STRTOI 3\n.Os\n.Sh NAME\n.Nm strtoi\n.Nd convert\n.Sh SYNOPSIS\n.In stdlib.h\n.Sh DESCRIPTION\n.Nm\nuses\n.Xr strtol 3 .\n.Bl -tag\n.It Fl a Op Ar file\nAll.\n.El\n',
  );
  expect(title).toBe('strtoi(3)');
  expect(text).toContain('**strtoi** — convert');
  expect(text).toContain('#include \\<stdlib.h>');
  expect(text).toContain('**strtoi** uses strtol(3).');
  expect(text).toMatch(/- \*\*-a\*\* \[\*file\*\]\n {2}All\./);
});

test.each([
  ['notes.txt', 'Meeting\n\nWe met: 1. at noon -- and left.\n', 'plain-text'],
  ['guide.txt', RST, 'rst'],
  ['git-add.txt', 'git-add(1)\n==========\n\nNAME\n----\ngit-add - Add\n', 'asciidoc'],
  ['tool.1', '.\\" comment\n.TH T 1\n.SH NAME\nt\n', 'man'],
  ['app.log.1', '2024 started\n2024 ended\n', 'plain-text'],
])('[L3] %s is recognized by its content', (name, text, expected) => {
  expect(chosen(name, text)).toBe(expected);
});

const files: Readonly<Record<string, string>> = {
  'docs/part.rst': 'Part\n\n.. include:: deeper/leaf.rst\n',
  'docs/deeper/leaf.rst': 'Leaf',
  'docs/loop.rst': '.. include:: loop.rst\n',
  'code.py': 'a = 1\n# tag::x[]\nb = 2\n# end::x[]\n',
};
const read = async (path: string): Promise<string | null> => files[path] ?? null;

test('[L3] includes are read within the folder, by line, tag and level', async () => {
  const nested = await expandIncludes('docs/index.rst', '.. include:: part.rst\n', read);
  expect(nested).toMatchObject({ text: expect.stringContaining('Part\n\nLeaf') as string, included: 2, refused: [] });
  const code = await expandIncludes('docs/index.rst', '.. literalinclude:: ../code.py\n   :lines: 1\n', read);
  expect(code.text).toContain('.. code-block:: py\n\n    a = 1\n');
  const tagged = await expandIncludes('index.adoc', 'include::code.py[tag=x]\n', read);
  expect(tagged.text).toBe('b = 2\n');
});

test.each([
  ['../../etc/passwd', 'outside-folder'],
  ['https://x.dev/a.rst', 'outside-folder'],
  ['C:\\secret.rst', 'outside-folder'],
  ['nowhere.rst', 'not-found'],
  ['loop.rst', 'cycle'],
])('[L3] an include of %s is left out: %s', async (target, reason) => {
  const { refused } = await expandIncludes('docs/index.rst', `.. include:: ${target}\n`, read);
  expect(refused.map((one) => one.reason)).toEqual([reason]);
});

test('[L3] an included file may have any number of lines', async () => {
  const { text, refused } = await expandIncludes('a.rst', '.. include:: b.rst\n', async () => '\n'.repeat(300_000));
  expect([text.length, refused]).toEqual([300_001, []]);
});

const MANY_TAGS = Array.from({ length: 20_000 }, (_, nth) => `t${nth}`).join(';');
const ALL_LINES = Array.from({ length: 50 }, () => '1..-1').join(';');

test.each([
  ['many ranges', `include::b.adoc[lines="${ALL_LINES}"]\n`, 'text\n'.repeat(50_000)],
  ['many tags', `include::b.adoc[tags="${MANY_TAGS}"]\n`, 'text\n'.repeat(50_000)],
  ['a deep indentation', `${' '.repeat(20_000)}.. include:: b.rst\n`, 'text\n'.repeat(50_000)],
  ['spaces before its end', `.. include:: b${' '.repeat(50_000)}c\n`, 'text\n'],
  ['spaces in an option', `.. include:: b.rst\n   :lines: 1${' '.repeat(50_000)}2\n`, 'text\n'],
])('[L3] an include with %s costs no more than its file', async (_, include, file) => {
  const startedAt = process.cpuUsage();
  const { text } = await expandIncludes('a.rst', include, async () => file);
  const { user, system } = process.cpuUsage(startedAt);
  expect(text.length).toBeLessThanOrEqual(file.length + include.length);
  expect(user + system).toBeLessThan(1_000_000);
});

test('[L3] thousands of includes, and includes inside includes, stay within their limits', async () => {
  let reads = 0;
  const many = await expandIncludes('a.adoc', 'include::b.adoc[]\n'.repeat(5000), async () => {
    reads += 1;
    return 'text\n';
  });
  expect(reads).toBe(200);
  expect(many.refused.length).toBe(100);
  const deep = await expandIncludes(
    '0.adoc',
    'include::1.adoc[]',
    async (path) => `include::${Number.parseInt(path, 10) + 1}.adoc[]`,
  );
  expect(deep).toMatchObject({ included: 8, refused: [{ reason: 'too-deep' }] });
});

const nested = (line: (depth: number) => string): string =>
  Array.from({ length: 4_000 }, (_, depth) => line(depth)).join('\n');

/** Seconds of CPU time; each takes about one on a slow machine. */
const MAX_SECONDS = 10;

test.each([
  ['quotes inside quotes', 'a.rst', nested((depth) => `${' '.repeat(depth % 500)}x\n`)],
  ['marks without an end', 'b.rst', 'word **`*|'.repeat(5_000)],
  ['a table without rows', 'c.rst', `+${'-+'.repeat(5_000)}\n${'|'.repeat(5_000)}`],
  ['substitutions of each other', 'd.rst', '.. |a| replace:: |b| |b|\n.. |b| replace:: |a| |a|\n\n|a|'],
  ['items without an end', 'e.adoc', nested((depth) => `${'*'.repeat((depth % 6) + 1)} item`)],
  ['conditions without an end', 'f.adoc', 'ifdef::x[]\n'.repeat(50_000)],
  ['marks without an end', 'g.adoc', '= T\n\n' + '*_`#'.repeat(6_000)],
  ['a macro that calls itself', 'h.1', '.TH T 1\n.de X\n.X\n.X\n..\n.X\n.SH END\n'],
  ['a string of itself', 'i.1', '.TH T 1\n.ds a \\*a\\*a\n\\*a\n'],
  ['indentation without an end', 'j.1', `.TH T 1\n${'.RS\n.TP\nx\n'.repeat(4_000)}`],
])('[L3] %s end within their limits (%s)', async (_, name, text) => {
  const start = process.cpuUsage();
  await extract(name, text);
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1e6).toBeLessThan(MAX_SECONDS);
});
