import { expect, test } from 'vitest';
import type { Document, DocumentFormat } from '../model/document.ts';
import { pageUrl } from '../model/page-url.ts';
import { classifyPage } from './page-kind.ts';

interface Sketch {
  readonly url?: string;
  readonly format?: DocumentFormat;
  readonly title?: string;
  readonly text?: string;
  readonly headings?: readonly string[];
  readonly links?: readonly string[];
}

function kindOf({ url = '/a', format = 'markdown', title = 'A', text = '', headings = [], links = [] }: Sketch) {
  const document: Document = {
    url: pageUrl(url, 'https://docs.test/'),
    format,
    title,
    description: null,
    language: null,
    codeLanguage: null,
    canonical: null,
    text,
    outline: headings.map((heading, index) => ({ level: 2, text: heading, anchor: null, line: index + 1 })),
    links: links.map((words, index) => ({ href: `https://docs.test/${index}`, text: words, rel: [], inContent: true })),
  };
  return classifyPage(document);
}

const PARAGRAPH = `${'Every sentence of this paragraph tells the reader something that is worth the time. '.repeat(4)}\n\n`;
const names = (count: number, word: string) => Array.from({ length: count }, (_, index) => `${word} ${index}`);

test.each<[string, string, Sketch]>([
  ['a guide in prose', 'article', { url: '/guides/caching', text: PARAGRAPH.repeat(6), headings: ['Why', 'How to'] }],
  [
    'an API page by its headings',
    'reference',
    { url: '/fs', headings: ['fs.readFile()', 'fs.open()', 'fs.close()'], text: 'Opens it.\n' },
  ],
  ['a page below /api/', 'reference', { url: '/api/client', text: PARAGRAPH.repeat(3) }],
  [
    'a man page',
    'reference',
    { url: '/git-add.html', headings: ['NAME', 'SYNOPSIS', 'DESCRIPTION'], text: PARAGRAPH.repeat(6) },
  ],
  [
    'a page of links',
    'hub',
    { url: '/docs/', text: names(20, 'WakeupKind').join('\n'), links: names(20, 'WakeupKind') },
  ],
  [
    'a general index',
    'index',
    { url: '/genindex.html', title: 'Index', text: names(400, 'f').join('\n'), links: names(400, 'f') },
  ],
  ['a line of text', 'other', { text: 'TODO\n' }],
  ['an image', 'other', { format: 'image' }],
])('%s is %s', (_name, kind, sketch) => {
  expect(kindOf(sketch).pageKind).toBe(kind);
});

test('clear evidence gives more confidence than weak evidence', () => {
  const clear = kindOf({ url: '/guides/a', text: PARAGRAPH.repeat(6), headings: ['Why'] });
  const weak = kindOf({ url: '/a', text: PARAGRAPH.repeat(2) });
  expect(clear.confidence).toBeGreaterThan(weak.confidence);
  expect(clear.confidence).toBeLessThanOrEqual(1);
});
