// Parsers accept any input from a server and never throw.

import { array, assert, constantFrom, oneof, property, string, uint8Array } from 'fast-check';
import { test } from 'vitest';
import { pageUrl } from '../model/page-url.ts';
import { normalizeUrl } from '../url/normalize.ts';
import { splitLlmsFull } from './llms/split-llms-full.ts';
import { parseLlmsTxt } from './llms/llms-txt.ts';
import { pageDirectives } from './robots/robots-meta.ts';
import { parseRobots, robotsVerdict } from './robots/robots.ts';
import { createSitemapReader } from './sitemap/sitemap.ts';

const FILE = pageUrl('https://x.dev/file');
const RUNS = { numRuns: 2000 };

/** Fragments of the real formats, combined in any order. */
const fragments = (...tokens: string[]) =>
  array(oneof(constantFrom(...tokens), string({ maxLength: 6 })), { maxLength: 30 }).map((some) => some.join(''));

test('robots.txt of any bytes', () => {
  const octets = uint8Array({ maxLength: 300 });
  assert(
    property(octets, (file) => robotsVerdict(parseRobots(file), 'https://x.dev/a').rule !== undefined),
    RUNS,
  );
  const text = fragments(
    'User-agent: *',
    'Disallow:',
    'allow',
    ' /',
    '\n',
    '\r',
    '*',
    '$',
    '%',
    'Crawl-delay: ',
    '1',
    '#',
  );
  assert(
    property(text, (file) => robotsVerdict(parseRobots(file), 'https://x.dev/a').rule !== undefined),
    RUNS,
  );
});

function readsSitemap(octets: Uint8Array): boolean {
  const reader = createSitemapReader(FILE);
  reader.push(octets.subarray(0, 5));
  reader.push(octets.subarray(5));
  return Array.isArray(reader.end().entries);
}

test('sitemaps of any bytes and of any fragments', () => {
  assert(property(uint8Array({ maxLength: 200 }), readsSitemap), RUNS);
  assert(
    property(
      uint8Array({ maxLength: 200 }).map((octets) => Uint8Array.from([0x1f, 0x8b, 8, ...octets])),
      readsSitemap,
    ),
    RUNS,
  );
  const xml = fragments(
    '<?xml version="1.0"?>',
    '<urlset>',
    '<url>',
    '<loc>',
    'https://x.dev/',
    '</loc>',
    '</url>',
    '</urlset>',
    '&',
    ';',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '<!DOCTYPE a [',
    '&amp;',
    '&#0;',
    '\n',
  );
  assert(
    property(xml, (text) => readsSitemap(new TextEncoder().encode(text))),
    RUNS,
  );
});

test('llms.txt and llms-full.txt of any fragments', () => {
  const text = fragments(
    '# ',
    '## ',
    '\n',
    '- ',
    '[a]',
    '(b)',
    '](',
    '> ',
    '```',
    '---\n',
    'Source: ',
    'https://x.dev/a',
    'url: /b',
    '<doc url="/c">\n',
    '</doc>\n',
    '<page>\n',
    '\n\n',
  );
  assert(
    property(text, (file) => {
      const { links } = parseLlmsTxt(file, FILE);
      return splitLlmsFull({ text: file, url: FILE, listed: links }).pages.every(({ text: page }) =>
        page.endsWith('\n'),
      );
    }),
    RUNS,
  );
});

test('URLs and directives of any text', () => {
  assert(
    property(
      fragments('http', '://', 'x.dev', '/', '..', '%2f', '%', '?', '&', '=', '#', 'utm_a', ':', '@', '[', ']'),
      (text) => {
        const verdict = normalizeUrl(text, FILE);
        return (
          pageDirectives([text], [{ name: 'robots', content: text }]).reason.length <= 3 &&
          typeof verdict.ok === 'boolean'
        );
      },
    ),
    RUNS,
  );
});
